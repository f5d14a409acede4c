// Every LUT has four inputs: nextpnr knows no delay of a shorter one (findings/nextpnr_gowin_lut3.sh). SPDX-License-Identifier: MIT OR Apache-2.0
module LUT1 #(parameter INIT = 2'b0) (input I0, output F);
  LUT4 #(.INIT({8{INIT}})) _TECHMAP_REPLACE_ (.I0(I0), .I1(1'b0), .I2(1'b0), .I3(1'b0), .F(F));
endmodule
module LUT2 #(parameter INIT = 4'b0) (input I0, I1, output F);
  LUT4 #(.INIT({4{INIT}})) _TECHMAP_REPLACE_ (.I0(I0), .I1(I1), .I2(1'b0), .I3(1'b0), .F(F));
endmodule
module LUT3 #(parameter INIT = 8'b0) (input I0, I1, I2, output F);
  LUT4 #(.INIT({2{INIT}})) _TECHMAP_REPLACE_ (.I0(I0), .I1(I1), .I2(I2), .I3(1'b0), .F(F));
endmodule
