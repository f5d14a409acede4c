#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# cocotb 2.1.0's runner with Icarus Verilog: `build` compiles only if a source file in its list is newer than the last build in that folder. Other parameters, other
# defines and a changed `include` file do not count: a loop over parameters, or a parametrised pytest, tests the first value again and again and is
# green. `always=True` or a build folder for each value helps. Needs Icarus Verilog.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tools
tools/bin/pip install -q cocotb==2.1.0
cat >width.v <<'V'
module width #(parameter W = 1) (output wire [W-1:0] bus);
`include "value.vh"
  assign bus = `VALUE + `MORE;
endmodule
V
echo '`define VALUE 1' >value.vh
cat >run.py <<'P'
import os

if __name__ == "__main__":
    from cocotb_tools.runner import get_runner

    def step(what, width, more, **options):
        print("SEEN", what, end=": ", flush=True)
        runner = get_runner("icarus")
        runner.build(
            sources=["width.v"], includes=["."], hdl_toplevel="width", parameters={"W": width}, defines={"MORE": more}, timescale=("1ns", "1ps"), **options
        )
        runner.test(hdl_toplevel="width", test_module="run", test_dir=os.getcwd())

    step("W=4 MORE=0 VALUE=1", 4, 0)
    step("W=8 MORE=0 VALUE=1", 8, 0)
    step("W=8 MORE=1 VALUE=1", 8, 1)
    with open("value.vh", "w") as file:
        file.write("`define VALUE 5\n")
    step("W=8 MORE=1 VALUE=5", 8, 1)
    step("the same, always", 8, 1, always=True)
else:
    import cocotb
    from cocotb.triggers import Timer

    @cocotb.test()
    async def look(dut):
        await Timer(1, "ns")
        print("bits", len(dut.bus), "value", int(dut.bus.value), flush=True)
P
PATH=$PWD/tools/bin:$PATH tools/bin/python run.py >log 2>&1 || { tail -20 log; exit 1; }
# What a step is about and what its simulation printed, on one line.
grep -oE 'SEEN [^:]*:|bits [0-9]+ value [0-9]+' log | paste -d ' ' - - | sed 's/SEEN //' | tee seen
cat >expected <<'E'
W=4 MORE=0 VALUE=1: bits 4 value 1
W=8 MORE=0 VALUE=1: bits 4 value 1
W=8 MORE=1 VALUE=1: bits 4 value 1
W=8 MORE=1 VALUE=5: bits 4 value 1
the same, always: bits 8 value 6
E
cmp seen expected
