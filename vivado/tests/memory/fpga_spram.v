// A memory of words out of four of bytes.
module fpga_spram(
  A, CLK, Q
);
parameter  DATAWIDTH = 32;
parameter  ADDRWIDTH = 17;
parameter  MEMDEPTH  = 2**(ADDRWIDTH);
input [(ADDRWIDTH-1):0] A;
input CLK;
output [(DATAWIDTH-1):0] Q;
fpga_byte_spram #(ADDRWIDTH,8,MEMDEPTH) x_fpga_byte0_spram(
  .A(A), .CLK(CLK), .Q(Q[7:0])
);
fpga_byte_spram #(ADDRWIDTH,8,MEMDEPTH) x_fpga_byte1_spram(
  .A(A), .CLK(CLK), .Q(Q[15:8])
);
fpga_byte_spram #(ADDRWIDTH,8,MEMDEPTH) x_fpga_byte2_spram(
  .A(A), .CLK(CLK), .Q(Q[23:16])
);
fpga_byte_spram #(ADDRWIDTH,8,MEMDEPTH) x_fpga_byte3_spram(
  .A(A), .CLK(CLK), .Q(Q[31:24])
);
endmodule
