// The shape of the SoC's memory as far as the scripts look at it: two banks, each a memory of words.
module sms_bank_64k_top(
  clk, addr, rdata
);
input clk;
input [13:0] addr;
output [31:0] rdata;
sms_sram_bk2  x_sms_sram (
  .clk(clk), .addr(addr), .rdata(rdata)
);
endmodule
module sms_sram_bk2(
  clk, addr, rdata
);
input clk;
input [13:0] addr;
output [31:0] rdata;
parameter  DATAWIDTH = 32;
parameter  ADDRWIDTH = 14;
parameter  MEMDEPTH  = 2**(ADDRWIDTH);
fpga_spram #(DATAWIDTH,ADDRWIDTH,MEMDEPTH) x_fpga_spram (
  .A(addr), .CLK(clk), .Q(rdata)
);
endmodule
module sms_top(
  clk, addr, program_data, other_data
);
input clk;
input [13:0] addr;
output [31:0] program_data, other_data;
sms_bank_64k_top  x_sms0_top (
  .clk(clk), .addr(addr), .rdata(other_data)
);
sms_bank_64k_top  x_isram_top (
  .clk(clk), .addr(addr), .rdata(program_data)
);
endmodule
