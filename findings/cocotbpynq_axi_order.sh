#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# cocotbpynq's MMIO.write offers the data only after the address has been taken. AXI forbids a master to wait for AWREADY before WVALID (a slave may
# wait for both, and many do), so a design that PYNQ drives on a board is never written to in this simulation. Besides, it resets by the port `clk`
# whatever the hardware handoff calls the clock, and refuses a range up to the last byte, HIGHVALUE being inclusive.
# Seen: cocotbpynq 0.2.0 with cocotb 2.1.0. Needs Icarus Verilog.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv tools
tools/bin/pip install -q cocotb==2.1.0 cocotbpynq==0.2.0

# A slave that takes address and data as they come, and notes whether data was offered while an address waited.
cat >slave.v <<'V'
module slave (
  input wire clk, input wire aresetn,
  input wire [11:0] awaddr, input wire awvalid, output wire awready,
  input wire [31:0] wdata, input wire [3:0] wstrb, input wire wvalid, output wire wready,
  output wire [1:0] bresp, output reg bvalid, input wire bready,
  input wire [11:0] araddr, input wire arvalid, output wire arready,
  output wire [31:0] rdata, output wire [1:0] rresp, output reg rvalid, input wire rready
);
  // The address is taken three clocks after it is offered, whether there is data or not.
  reg [1:0] waited;
  reg early;
  assign awready = waited == 3, wready = 1, bresp = 0, arready = 1, rresp = 0, rdata = {31'd0, early};
  always @(posedge clk)
    if (!aresetn) begin waited <= 0; early <= 0; bvalid <= 0; rvalid <= 0; end
    else begin
      waited <= awvalid & ~awready ? waited + 2'd1 : 2'd0;
      if (awvalid & ~awready & wvalid) early <= 1;
      bvalid <= wvalid & wready | bvalid & ~bready;
      rvalid <= arvalid & arready | rvalid & ~rready;
    end
endmodule
V
cat >run.py <<'P'
import os
import sys

BASE = 0x40000000
HANDOFF = """<EDKSYSTEM><MODULES>
<MODULE FULLNAME="/ps" INSTANCE="ps" MODTYPE="processing_system7" VLNV="xilinx.com:ip:processing_system7:5.5"><MEMORYMAP>
<MEMRANGE INSTANCE="slave_0" BASEVALUE="0x40000000" HIGHVALUE="0x40000FFF" SLAVEBUSINTERFACE="axi"/></MEMORYMAP></MODULE>
<MODULE FULLNAME="/slave_0" INSTANCE="slave_0" MODTYPE="slave" VLNV="a:b:slave:1.0">
<PORTS><PORT NAME="clk" DIR="I" SIGIS="clk"/><PORT NAME="aresetn" DIR="I" SIGIS="rst" POLARITY="ACTIVE_LOW"/></PORTS>
<BUSINTERFACES><BUSINTERFACE BUSNAME="axi" NAME="axi" TYPE="SLAVE"><PORTMAPS>%s</PORTMAPS></BUSINTERFACE></BUSINTERFACES></MODULE>
</MODULES></EDKSYSTEM>"""
SIGNALS = "awaddr awvalid awready wdata wstrb wvalid wready bresp bvalid bready araddr arvalid arready rdata rresp rvalid rready".split()


def write_and_look(dut):
    from cocotbpynq import MMIO, Overlay

    Overlay("a.bit")
    try:
        MMIO(BASE, 0x1000)
        print("SEEN the whole range is taken")
    except RuntimeError as error:
        print("SEEN the whole range:", error)
    mmio = MMIO(BASE, 0xFFF)
    mmio.write(0, 1)
    print("SEEN data offered while the address waited:", bool(mmio.read(0)))


if __name__ == "__main__":
    from cocotb_tools.runner import get_runner

    with open("a.hwh", "w") as file:
        file.write(HANDOFF % "".join(f'<PORTMAP LOGICAL="{name.upper()}" PHYSICAL="{name}"/>' for name in SIGNALS))
    runner = get_runner("icarus")
    runner.build(sources=["slave.v"], hdl_toplevel="slave", timescale=("1ns", "1ps"))
    here = os.getcwd()
    runner.test(hdl_toplevel="slave", test_module="run", test_dir=here, extra_env={"HWH_LOCATION_DIR": here, "COCOTB_SYS_ARGV": ""})
elif "COCOTB_SYS_ARGV" in os.environ:
    from cocotbpynq import synctest

    seen = synctest(write_and_look)
P
PATH=$PWD/tools/bin:$PATH timeout 120 tools/bin/python run.py >log 2>&1 || { tail -20 log; exit 1; }
sed -n 's/.*SEEN //p' log
grep -q "SEEN data offered while the address waited: False" log || { echo "changed: it offers data beside the address"; exit 1; }
grep -q "SEEN the whole range: No MMIO block found" log || { echo "changed: the whole range is taken"; exit 1; }
grep -q "ClockCycles(self.dut.clk" tools/lib/python3*/site-packages/cocotbpynq/dut.py || { echo "changed: it no longer resets by the port clk"; exit 1; }
echo "as stated"
