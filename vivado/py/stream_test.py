# SPDX-License-Identifier: MIT OR Apache-2.0
"""An example for cocotb 2 and cocotbext-axi: the core @TOP@ over its streams, in Icarus Verilog.

    pip install cocotb cocotbext-axi
    python sim/test_stream.py
"""

import os

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamSink, AxiStreamSource

RESET, PLAY, SEARCH, READ = @RESET@, @PLAY@, @SEARCH@, @READ@
IDENTITY, GAME = @IDENTITY_SELECTOR@, @GAME_SELECTOR@
COLUMNS, ROWS = @COLUMNS@, @ROWS@


class Core:
    """The core by its commands."""

    def __init__(self, dut):
        self.dut = dut
        cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
        source = lambda name: AxiStreamSource(
            AxiStreamBus.from_prefix(dut, name), dut.aclk, dut.aresetn, reset_active_level=False
        )
        self.control, self.data = source("s_axis_control"), source("s_axis_data")
        self.answers = AxiStreamSink(
            AxiStreamBus.from_prefix(dut, "m_axis_data"), dut.aclk, dut.aresetn, reset_active_level=False
        )

    async def reset(self):
        self.dut.aresetn.value = 0
        for _ in range(4):
            await RisingEdge(self.dut.aclk)
        self.dut.aresetn.value = 1
        await RisingEdge(self.dut.aclk)

    async def send(self, command, *arguments):
        """Arguments first: a command that comes before its arguments may be interrupted by the next."""
        for word in arguments:
            await self.data.send(word.to_bytes(4, "little"))
        await self.control.send(command.to_bytes(4, "little"))

    async def call(self, command, *arguments):
        """A command and the two words of its answer."""
        await self.send(command, *arguments)
        frame = await self.answers.recv()
        words = bytes(frame.tdata)
        return int.from_bytes(words[:4], "little"), int.from_bytes(words[4:], "little")


@cocotb.test()
async def a_game(dut):
    core = Core(dut)
    await core.reset()
    name, version = await core.call(READ, IDENTITY)
    assert name == @IDENTITY@, hex(name)
    dut._log.info(f"version {version >> 16}.{version >> 8 & 255}.{version & 255}")
    # With x, y = columns, rows the engine opens.
    x, y = await core.call(PLAY, COLUMNS, ROWS)
    stones = {(x, y)}
    while True:
        assert x < COLUMNS and y < ROWS, (hex(x), hex(y))
        free = next((x, y) for y in range(ROWS) for x in range(COLUMNS) if (x, y) not in stones)
        stones.add(free)
        x, y = await core.call(PLAY, *free)
        status = x >> 8
        dut._log.info(f"{free[0]},{free[1]} is answered by {x & 255},{y & 255}, status {status:#04x}")
        if status:
            break
        assert (x, y) not in stones
        stones.add((x, y))
    score, over = await core.call(READ, GAME)
    assert over >> 16, "the game is over"


def main():
    from cocotb_tools.runner import get_runner

    here = os.path.dirname(os.path.abspath(__file__))
    runner = get_runner("icarus")
    runner.build(
        sources=[os.path.join(here, "..", "rtl", "@TOP@.v")],
        hdl_toplevel="@TOP@",
        build_dir=os.path.join(here, "cocotb"),
        build_args=["-g2001"],
        timescale=("1ns", "1ps"),
    )
    results = runner.test(hdl_toplevel="@TOP@", test_module="test_stream", test_dir=here, build_dir=os.path.join(here, "cocotb"))
    from cocotb_tools.check_results import get_results

    tests, failed = get_results(results)
    print(f"{tests} tests, {failed} failed")
    raise SystemExit(1 if failed or not tests else 0)


if __name__ == "__main__":
    main()
