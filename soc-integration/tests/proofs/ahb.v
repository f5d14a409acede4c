  // What an address phase asks for, if it is one of this slave's and ends in this clock, is carried out in the next clock, once.
  reg past = 1'b0;
  reg owed, writes_was;
  reg [9:0] number_was;
  reg [3:0] lanes_was;
  always @(posedge hclk) begin
    past <= 1'b1;
    owed <= reset_aresetn & hsel & htrans[1] & hready_in;
    writes_was <= hwrite;
    number_was <= haddr[11:2];
    case (hsize)
      3'd0: lanes_was <= 4'b0001 << haddr[1:0];
      3'd1: lanes_was <= haddr[1] ? 4'b1100 : 4'b0011;
      default: lanes_was <= 4'b1111;
    endcase
  end
  always @(*) assume (past | ~reset_aresetn);
  always @(*) if (past) begin
    assert (core_write == (owed & writes_was));
    assert (core_read == (owed & ~writes_was));
    if (core_write) begin
      assert (core_write_number == number_was);
      assert (core_write_lanes == lanes_was);
      assert (core_write_data == hwdata);
    end
    if (core_read) begin
      assert (core_read_number == number_was);
      assert (core_read_lane_0 == lanes_was[0]);
      assert (hrdata == core_read_data);
    end
    assert (hready && hresp == 2'd0);
    assert (intr == core_interrupt);
  end
