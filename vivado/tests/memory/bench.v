// Shows the first words of the instruction memory and of another.
module bench;
  reg clk;
  reg [13:0] addr;
  wire [31:0] program_data, other_data;
  integer word;
  sms_top top(.clk(clk), .addr(addr), .program_data(program_data), .other_data(other_data));
  initial begin
    clk = 0;
    for (word = 0; word <= 300; word = word + 1) begin
      addr = word;
      #1 clk = 1;
      #1 clk = 0;
      #1 $display("%h %h", program_data, other_data);
    end
  end
endmodule
