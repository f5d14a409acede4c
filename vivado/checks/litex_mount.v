// SPDX-License-Identifier: MIT OR Apache-2.0
// The slot's ports, and behind them the LiteX SoC of litex_soc.py at the address where that mounts the slot: what plays games through the
// slot plays them through LiteX's interconnect. The slot within the SoC goes by the name `mounted_slot`.
`timescale 1ns / 1ps
module small_axil_slot (
  input wire aclk,
  input wire aresetn,
  input wire [11:0] s_axil_awaddr,
  input wire [2:0] s_axil_awprot,
  input wire s_axil_awvalid,
  input wire [31:0] s_axil_wdata,
  input wire [3:0] s_axil_wstrb,
  input wire s_axil_wvalid,
  input wire s_axil_bready,
  input wire [11:0] s_axil_araddr,
  input wire [2:0] s_axil_arprot,
  input wire s_axil_arvalid,
  input wire s_axil_rready,
  output wire s_axil_awready,
  output wire s_axil_wready,
  output wire [1:0] s_axil_bresp,
  output wire s_axil_bvalid,
  output wire s_axil_arready,
  output wire [31:0] s_axil_rdata,
  output wire [1:0] s_axil_rresp,
  output wire s_axil_rvalid,
  output wire interrupt
);
  soc soc (
    .clk(aclk),
    .rst(~aresetn),
    .bus_awaddr({20'h30000, s_axil_awaddr}),
    .bus_awprot(s_axil_awprot),
    .bus_awvalid(s_axil_awvalid),
    .bus_awready(s_axil_awready),
    .bus_wdata(s_axil_wdata),
    .bus_wstrb(s_axil_wstrb),
    .bus_wvalid(s_axil_wvalid),
    .bus_wready(s_axil_wready),
    .bus_bresp(s_axil_bresp),
    .bus_bvalid(s_axil_bvalid),
    .bus_bready(s_axil_bready),
    .bus_araddr({20'h30000, s_axil_araddr}),
    .bus_arprot(s_axil_arprot),
    .bus_arvalid(s_axil_arvalid),
    .bus_arready(s_axil_arready),
    .bus_rdata(s_axil_rdata),
    .bus_rresp(s_axil_rresp),
    .bus_rvalid(s_axil_rvalid),
    .bus_rready(s_axil_rready),
    .irq(interrupt)
  );
endmodule
