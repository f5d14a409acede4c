
  reg [31:0] status;
  reg enabled = 1'b0;
@BUS@
  // Until STATUS has one of these bits.
  task await;
    input [31:0] bits;
    begin
      waited = 0;
      read(32'h@STATUS@, status);
      while ((status & bits) == 0) begin
        wait_once;
        read(32'h@STATUS@, status);
      end
    end
  endtask

  task put_control;
    input [31:0] word;
    begin
      await(32'h@CONTROL_ROOM@);
      write(32'h@CONTROL@, word);
    end
  endtask

  task put_data;
    input [31:0] word;
    begin
      await(32'h@DATA_ROOM@);
      write(32'h@DATA_IN@, word);
    end
  endtask

  task take;
    output [31:0] word;
    input last;
    begin
      await(32'h@ANSWER@);
      expect_that(((status & 32'h@LAST_WORD@) != 0) === last, "STATUS.LAST is on the last word alone");
      expect_that(@INTERRUPT@ === enabled, "the interrupt line is high while a word waits, if enabled");
      pause;
      read(32'h@DATA_OUT@, word);
      // The next answer may be there already.
      if (last && !in_flight) expect_that(@INTERRUPT@ === 1'b0, "the interrupt line falls with the last word");
    end
  endtask

  // The bus, lane by lane where it has lanes; the interrupt, off until the first answer has come without.
  task prepare;
    reg [31:0] got;
    begin
      write(32'h@SCRATCH@, 32'ha5c3_96f0);
      read(32'h@SCRATCH@, got);
      expect_that(got === 32'ha5c3_96f0, "SCRATCH keeps what is written");
      write(32'h@SCRATCH@, 32'h5a3c_690f);
      read(32'h@SCRATCH@, got);
      expect_that(got === 32'h5a3c_690f, "SCRATCH keeps what is written");
      read(32'h@ID@, got);
      expect_that(got === 32'h@IDENTITY@, "ID tells who it is");
      read(32'h@DATA_OUT@, got);
      expect_that(got === 32'hffff_ffff, "DATA_OUT without an answer reads all ones");
      read(32'h@ERRORS@, got);
      expect_that(got === 32'h@EMPTY_READ@, "ERRORS tells of it");
      write(32'h@ERRORS@, 32'hffff_ffff);
      read(32'h@ERRORS@, got);
      expect_that(got === 32'd0, "ERRORS is cleared by ones");
      ask(@IDENTITY_SELECTOR@);
      expect_that(first === 32'h@IDENTITY@, "the core tells who it is");
      write(32'h@INTERRUPT_ENABLE@, 32'd1);
      enabled = 1'b1;
    end
  endtask
