# SPDX-License-Identifier: MIT OR Apache-2.0
"""A LiteX SoC without a processor around the core: its bus comes out as pins. python soc.py PACKAGE OUT"""
import os, sys
package, out = sys.argv[1:3]
sys.path.insert(0, os.path.join(package, "litex"))
from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
from litex.gen import LiteXModule
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import axi
from migen import ClockDomain
from tengen_litex import add_tengen, REGISTERS

io = [("clk", 0, Pins(1)), ("rst", 0, Pins(1)), ("irq", 0, Pins(1))]
bus = axi.AXILiteInterface(data_width=32, address_width=32)
io += bus.get_ios("bus")

class Platform(GenericPlatform):
    def __init__(self):
        GenericPlatform.__init__(self, "device", io)
    def build(self, fragment, build_dir, build_name="soc", **kwargs):
        os.makedirs(build_dir, exist_ok=True)
        self.finalize(fragment)
        v = self.get_verilog(fragment, name=build_name)
        v.write(os.path.join(build_dir, build_name + ".v"))

class Crg(LiteXModule):
    def __init__(self, platform):
        self.cd_sys = ClockDomain()
        self.comb += self.cd_sys.clk.eq(platform.request("clk")), self.cd_sys.rst.eq(platform.request("rst"))

class Soc(SoCMini):
    def __init__(self, platform):
        self.crg = Crg(platform)
        SoCMini.__init__(self, platform, clk_freq=int(50e6), bus_standard="axi-lite", ident="test")
        core = add_tengen(self, origin=0x3000_0000)
        self.comb += platform.request("irq").eq(core.ev.answer.trigger)
        master = axi.AXILiteInterface(data_width=32, address_width=32)
        self.comb += master.connect_to_pads(platform.request("bus"), mode="slave")
        self.bus.add_master(name="pins", master=master)

platform = Platform()
soc = Soc(platform)
builder = Builder(soc, output_dir=out, compile_software=False, compile_gateware=False)
soc.finalize()
platform.build(soc.get_fragment(), out)
print("mounted at", hex(soc.bus.regions["tengen"].origin), "sources", platform.sources)
