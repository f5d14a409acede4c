#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Corsair 1.0.4, which writes register files in Verilog: `rw1c` and `rw1s` act neither bit by bit, as `rw1t` does, nor on the field as a whole. A one anywhere in a byte
# clears or sets all bits that the field has in that byte, so writing 1 to twelve flags acts on eight of them. `rolh` latches only a moment in which
# all bits of the field are high. A field of one bit does what the names say. Needs Icarus Verilog.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q corsair==1.0.4
cat >registers.yaml <<'Y'
regmap:
- name: CLEAR
  description: flags, a one clears
  address: 0
  bitfields:
  - {name: F, description: flags, reset: 0xFFF, width: 12, lsb: 0, access: rw1c, hardware: o}
- name: SET
  description: flags, a one sets
  address: 4
  bitfields:
  - {name: F, description: flags, reset: 0, width: 12, lsb: 0, access: rw1s, hardware: o}
- name: TOGGLE
  description: flags, a one inverts
  address: 8
  bitfields:
  - {name: F, description: flags, reset: 0, width: 12, lsb: 0, access: rw1t, hardware: o}
- name: LATCH
  description: flags, high until read
  address: 12
  bitfields:
  - {name: F, description: flags, reset: 0, width: 12, lsb: 0, access: rolh, hardware: i}
Y
cat >configuration <<'C'
[globcfg]
base_address = 0
data_width = 32
address_width = 16
register_reset = sync_pos
address_increment = none
address_alignment = data_width
[verilog]
path = registers.v
read_filler = 0
interface = lb
generator = Verilog
C
v/bin/corsair -r registers.yaml -c configuration >log 2>&1 || { tail -20 log; exit 1; }
cat >bench.v <<'V'
module bench;
  reg clk = 0, rst = 1, wen = 0, ren = 0;
  reg [15:0] address;
  reg [31:0] data;
  reg [11:0] events = 0;
  wire [31:0] rdata;
  wire rvalid;
  registers dut (
    .clk(clk), .rst(rst), .csr_latch_f_in(events), .waddr(address), .wdata(data), .wen(wen), .wstrb(4'hf),
    .raddr(address), .ren(ren), .rdata(rdata), .rvalid(rvalid)
  );
  always #1 clk = ~clk;
  task write(input [15:0] to);
    begin
      @(negedge clk) address = to; data = 1; wen = 1;
      @(negedge clk) wen = 0;
    end
  endtask
  task read(input [15:0] from, input [8*20:1] what);
    begin
      @(negedge clk) address = from; ren = 1;
      @(negedge clk) while (!rvalid) @(negedge clk);
      $display("%0s: %h", what, rdata[11:0]);
      @(negedge clk) ren = 0;
    end
  endtask
  initial begin
    repeat (2) @(negedge clk);
    rst = 0;
    write(0); read(0, "fff, 1 to clear");
    write(4); read(4, "000, 1 to set");
    write(8); read(8, "000, 1 to invert");
    @(negedge clk) events = 12'h001;
    @(negedge clk) events = 0;
    read(12, "latch, 001 came");
    @(negedge clk) events = 12'hfff;
    @(negedge clk) events = 0;
    read(12, "latch, fff came");
    $finish;
  end
endmodule
V
iverilog -o bench bench.v registers.v
vvp -n bench | grep ',' | tee seen
cat >expected <<'E'
fff, 1 to clear: f00
000, 1 to set: 0ff
000, 1 to invert: 001
latch, 001 came: 000
latch, fff came: fff
E
cmp seen expected
