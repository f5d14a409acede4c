// What a simulator needs of the FPGA's own cells: a clock generator passes its clock on. SPDX-License-Identifier: MIT OR Apache-2.0
`timescale 1ns / 1ps
/* verilator lint_off DECLFILENAME */
module EHXPLLL #(
  parameter PLLRST_ENA = "", INTFB_WAKE = "", STDBY_ENABLE = "", DPHASE_SOURCE = "", OUTDIVIDER_MUXA = "", OUTDIVIDER_MUXB = "",
  OUTDIVIDER_MUXC = "", OUTDIVIDER_MUXD = "", CLKOP_ENABLE = "", FEEDBK_PATH = "", CLKI_DIV = 1, CLKOP_DIV = 1, CLKOP_CPHASE = 0,
  CLKOP_FPHASE = 0, CLKFB_DIV = 1
) (
  input CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC, ENCLKOP,
  output CLKOP, LOCK
);
  assign CLKOP = CLKI;
  assign LOCK = 1'b1;
endmodule
