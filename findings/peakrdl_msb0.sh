#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Four outputs of PeakRDL disagree about a field of a SystemRDL register map that is `msb0`, F[0:7] = 8'h01. The hardware of PeakRDL-regblock 1.3.1 gives it turned round
# on the bus: read after reset it is 0x80. The C header (1.1.0) and IP-XACT (3.5.0) say bits 7 to 0 with the reset value 1, and the UVM model (2.4.0)
# says eight bits from bit 7 on, across the next field. Nothing warns. Needs Verilator.
set -eu
command -v verilator >/dev/null || { echo "Verilator is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q peakrdl==1.5.0 systemrdl-compiler==1.33.0 peakrdl-regblock==1.3.1 peakrdl-cheader==1.1.0 peakrdl-ipxact==3.5.0 peakrdl-uvm==2.4.0
cat >dev.rdl <<'R'
addrmap dev {
  msb0; default regwidth = 32; default sw = rw; default hw = r;
  reg { field {} F[0:7] = 8'h01; field {} G[8:8] = 1'b0; } ctrl @ 0;
};
R
for output in "regblock --cpuif passthrough -o rtl" "c-header -o dev.h" "ip-xact -o dev.xml" "uvm -o uvm.sv"; do
  v/bin/peakrdl ${output%% *} dev.rdl ${output#* } >>log 2>&1 || { cat log; exit 1; }
done
cat >bench.sv <<'V'
module bench;
  logic clk = 0, rst = 1, req = 0, is_wr = 0, ack;
  logic [31:0] wr_data = 0, rd_data;
  dev_pkg::dev__out_t out;
  dev unit (.clk(clk), .rst(rst), .s_cpuif_req(req), .s_cpuif_req_is_wr(is_wr), .s_cpuif_addr('0), .s_cpuif_wr_data(wr_data),
    .s_cpuif_wr_biten('1), .s_cpuif_req_stall_wr(), .s_cpuif_req_stall_rd(), .s_cpuif_rd_ack(ack), .s_cpuif_rd_err(), .s_cpuif_rd_data(rd_data),
    .s_cpuif_wr_ack(), .s_cpuif_wr_err(), .hwif_out(out));
  always #1 clk = !clk;
  initial begin
    repeat (3) @(negedge clk);
    rst = 0;
    req = 1;
    #0.5 if (ack) $display("regblock: value %h, read on the bus %h", out.ctrl.F.value, rd_data);
    $finish;
  end
endmodule
V
verilator --binary --timescale 1ns/1ps -Wno-fatal -Wno-lint --top-module bench --Mdir out rtl/dev_pkg.sv rtl/dev.sv bench.sv >build 2>&1 || { tail -20 build; exit 1; }
{
  out/Vbench | grep regblock
  echo "c-header: mask $(sed -n 's/.*__F_bm //p' dev.h), position $(sed -n 's/.*__F_bp //p' dev.h), reset $(sed -n 's/.*__F_reset //p' dev.h)"
  echo "ip-xact: offset $(sed -n 's/.*<ipxact:bitOffset>\(.*\)<.*/\1/p' dev.xml | head -1), reset $(sed -n "s/.*<ipxact:value>'h\(.*\)<.*/\1/p" dev.xml | head -1)"
  echo "uvm: size and position of F $(sed -n 's/.*this.F.configure(this, \([0-9]*, [0-9]*\),.*/\1/p' uvm.sv), of G $(sed -n 's/.*this.G.configure(this, \([0-9]*, [0-9]*\),.*/\1/p' uvm.sv)"
  echo "lines that warn: $(grep -ci warning log || true)"
} >seen
cat seen
cat >expected <<'E'
regblock: value 01, read on the bus 00000080
c-header: mask 0xff, position 0, reset 0x1
ip-xact: offset 0, reset 1
uvm: size and position of F 8, 7, of G 1, 8
lines that warn: 0
E
cmp seen expected
