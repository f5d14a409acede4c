  // An access is carried out in its enable phase, which lasts a clock, and there alone.
  always @(*) begin
    assert (core_write == (psel & penable & pwrite));
    assert (core_read == (psel & penable & ~pwrite));
    assert (core_write_number == paddr[11:2] && core_read_number == paddr[11:2]);
    assert (core_write_lanes == 4'b1111 && core_read_lane_0);
    assert (core_write_data == pwdata && prdata == core_read_data);
    assert (intr == core_interrupt);
  end
