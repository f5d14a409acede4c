# SPDX-License-Identifier: MIT OR Apache-2.0
"""The Gomoku core @TOP@ as a peripheral of a LiteX SoC: AXI4-Lite, its interrupt wired, registers by name.

    from tengen_litex import add_tengen
    add_tengen(soc)                      # in a target's SoC class: add_tengen(self)

and over a bridge, as litex_server and RemoteClient open one:

    core = Registers(bus.read, bus.write, bus.mems.tengen.base)
    core.read("ID")                      # 0x54454e47
"""

import os

from migen import ClockSignal, Instance, ResetSignal

from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel

#: Byte offsets of the registers; of those that are several, of the first.
REGISTERS = {
@REGISTERS@}

#: Bytes of the registers' window.
WINDOW = @WINDOW@


class Tengen(LiteXModule):
    """The core behind `bus`, an AXI4-Lite interface; `ev.answer` is pending while an answer waits and INTERRUPT_ENABLE allows it."""

    def __init__(self, platform, source=None):
        self.bus = bus = axi.AXILiteInterface(data_width=32, address_width=32)
        self.ev = EventManager()
        self.ev.answer = EventSourceLevel()
        self.ev.finalize()
        self.specials += Instance(
            "@TOP@",
            i_aclk=ClockSignal("sys"),
            i_aresetn=~ResetSignal("sys"),
            i_s_axil_awaddr=bus.aw.addr[:12],
            i_s_axil_awprot=0,
            i_s_axil_awvalid=bus.aw.valid,
            o_s_axil_awready=bus.aw.ready,
            i_s_axil_wdata=bus.w.data,
            i_s_axil_wstrb=bus.w.strb,
            i_s_axil_wvalid=bus.w.valid,
            o_s_axil_wready=bus.w.ready,
            o_s_axil_bresp=bus.b.resp,
            o_s_axil_bvalid=bus.b.valid,
            i_s_axil_bready=bus.b.ready,
            i_s_axil_araddr=bus.ar.addr[:12],
            i_s_axil_arprot=0,
            i_s_axil_arvalid=bus.ar.valid,
            o_s_axil_arready=bus.ar.ready,
            o_s_axil_rdata=bus.r.data,
            o_s_axil_rresp=bus.r.resp,
            o_s_axil_rvalid=bus.r.valid,
            i_s_axil_rready=bus.r.ready,
            o_interrupt=self.ev.answer.trigger,
        )
        here = os.path.dirname(os.path.abspath(__file__))
        platform.add_source(source or os.path.join(here, "..", "rtl", "@TOP@.v"))


def add_tengen(soc, name="tengen", origin=None):
    """Mounts the core in a SoC, at an address of its own choice unless one is given, and its interrupt if the processor takes any."""
    core = Tengen(soc.platform)
    soc.add_module(name=name, module=core)
    soc.bus.add_slave(name=name, slave=core.bus, region=SoCRegion(origin=origin, size=WINDOW, cached=False))
    if soc.irq.enabled:
        soc.irq.add(name, use_loc_if_exists=True)
    return core


class Registers:
    """Registers by name over any bus: `read(address)` gives a word, `write(address, word)` takes one."""

    def __init__(self, read, write, base):
        self._read, self._write, self._base = read, write, base

    def read(self, name, index=0):
        return self._read(self._base + REGISTERS[name] + 4 * index)

    def write(self, name, word):
        self._write(self._base + REGISTERS[name], word)
