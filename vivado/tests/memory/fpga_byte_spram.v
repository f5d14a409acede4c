// A memory of bytes.
module fpga_byte_spram(
  A, CLK, Q
);
parameter  ADDRWIDTH = 17;
parameter  DATAWIDTH = 8;
parameter  MEMDEPTH  = 2**(ADDRWIDTH);
input [(ADDRWIDTH-1):0] A;
input CLK;
output [(DATAWIDTH-1):0] Q;
reg [(DATAWIDTH-1):0] Q;
reg [(DATAWIDTH-1):0] mem[(MEMDEPTH-1):0];
always @(posedge CLK) Q <= mem[A];
endmodule
