// SPDX-License-Identifier: MIT OR Apache-2.0
//! AXI4-Stream input register (skid buffer): widths are fixed, so this is an ordinary `#[hdl_gen]` circuit.

use rust_hdl::prelude::*;

/// A register with synchronous active-low reset to zero. rust-hdl's own `DFF` relies on an initial value instead.
#[derive(Clone, Debug, LogicBlock, Default)]
pub struct ResetRegister<T: Synth> {
    /// Clock.
    pub aclk: Signal<In, Clock>,
    /// Reset, active low.
    pub aresetn: Signal<In, Bit>,
    /// Next value.
    pub d: Signal<In, T>,
    /// Value.
    pub q: Signal<Out, T>,
}

impl<T: Synth> Logic for ResetRegister<T> {
    fn update(&mut self) {
        if self.aclk.pos_edge() {
            self.q.next = if self.aresetn.val() { self.d.val() } else { T::default() };
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(format!(
            "// Register with synchronous active-low reset.\n\
             always @(posedge aclk) if (!aresetn) q <= {}'d0; else q <= d;",
            T::BITS
        ))
    }
}

/// Takes a beat a clock into one register, and one more into a spare while the first is waiting, so that `s_tready` is
/// a register. `flush` drops what is held. Latency 1, initiation interval 1; reset empties it and keeps `s_tready` low.
#[derive(Clone, Debug, LogicBlock, Default)]
pub struct AxisRegister {
    /// Clock.
    pub aclk: Signal<In, Clock>,
    /// Reset, active low.
    pub aresetn: Signal<In, Bit>,
    /// Drops both held beats.
    pub flush: Signal<In, Bit>,
    /// Beat from outside.
    pub s_tdata: Signal<In, Bits<32>>,
    /// Beat from outside is there.
    pub s_tvalid: Signal<In, Bit>,
    /// Beat from outside is taken.
    pub s_tready: Signal<Out, Bit>,
    /// Oldest held beat.
    pub m_tdata: Signal<Out, Bits<32>>,
    /// A beat is held.
    pub m_tvalid: Signal<Out, Bit>,
    /// The oldest held beat is taken.
    pub m_tready: Signal<In, Bit>,
    running: ResetRegister<Bit>,
    main: ResetRegister<Bits<32>>,
    main_full: ResetRegister<Bit>,
    spare: ResetRegister<Bits<32>>,
    spare_full: ResetRegister<Bit>,
}

impl Logic for AxisRegister {
    #[hdl_gen]
    fn update(&mut self) {
        self.running.aclk.next = self.aclk.val();
        self.main.aclk.next = self.aclk.val();
        self.main_full.aclk.next = self.aclk.val();
        self.spare.aclk.next = self.aclk.val();
        self.spare_full.aclk.next = self.aclk.val();
        self.running.aresetn.next = self.aresetn.val();
        self.main.aresetn.next = self.aresetn.val();
        self.main_full.aresetn.next = self.aresetn.val();
        self.spare.aresetn.next = self.aresetn.val();
        self.spare_full.aresetn.next = self.aresetn.val();

        self.running.d.next = true;
        self.s_tready.next = (!self.spare_full.q.val()) & self.running.q.val();
        self.m_tdata.next = self.main.q.val();
        self.m_tvalid.next = self.main_full.q.val();

        self.main.d.next = self.main.q.val();
        self.main_full.d.next = self.main_full.q.val();
        self.spare.d.next = self.spare.q.val();
        self.spare_full.d.next = self.spare_full.q.val();
        if self.m_tready.val() | (!self.main_full.q.val()) {
            // The first place is free in the next clock: the spare beat moves up, else a new one comes in.
            if self.spare_full.q.val() {
                self.main.d.next = self.spare.q.val();
                self.main_full.d.next = true;
                self.spare_full.d.next = false;
            } else {
                self.main.d.next = self.s_tdata.val();
                self.main_full.d.next = self.s_tvalid.val() & self.running.q.val();
            }
        } else {
            if self.s_tvalid.val() & (!self.spare_full.q.val()) & self.running.q.val() {
                self.spare.d.next = self.s_tdata.val();
                self.spare_full.d.next = true;
            }
        }
        if self.flush.val() {
            self.main_full.d.next = false;
            self.spare_full.d.next = false;
        }
    }
}

/// Instance paths of its registers with their module names.
pub const KINDS: [(&str, &str); 5] = [
    ("running", "reset_register_1"),
    ("main", "reset_register_32"),
    ("main_full", "reset_register_1"),
    ("spare", "reset_register_32"),
    ("spare_full", "reset_register_1"),
];
