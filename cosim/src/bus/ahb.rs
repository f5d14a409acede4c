// SPDX-License-Identifier: MIT OR Apache-2.0
//! AHB-Lite as wujian100's bus matrix drives its low-speed slots, single NONSEQ transfers, address phases overlapping data
//! phases, transfers to other slaves in between; and as other buses do, where another slave's wait states hold an address phase.

use super::transfer::{BusError, Clocks, PATIENCE, Signals, Size, Transfer};
use crate::dut::{Dut, PortId};

const NONSEQ: u32 = 2;

pub(super) struct Ahb {
    address: PortId,
    protection: PortId,
    select: PortId,
    size: PortId,
    kind: PortId,
    write_data: PortId,
    write: PortId,
    read_data: PortId,
    ready: PortId,
    /// HREADY of the bus.
    ready_in: PortId,
    response: PortId,
}

impl Ahb {
    pub(super) fn new(dut: &Dut) -> Ahb {
        Ahb {
            address: dut.port("haddr"),
            protection: dut.port("hprot"),
            select: dut.port("hsel"),
            size: dut.port("hsize"),
            kind: dut.port("htrans"),
            write_data: dut.port("hwdata"),
            write: dut.port("hwrite"),
            read_data: dut.port("hrdata"),
            ready: dut.port("hready"),
            ready_in: dut.port("hready_in"),
            response: dut.port("hresp"),
        }
    }

    fn address_phase(&self, clocks: &mut Clocks, transfer: &Transfer) {
        let dut = &mut clocks.dut;
        dut.set_word(self.select, 1);
        dut.set_word(self.kind, NONSEQ);
        // The upper bits are those of the slot's window, whichever it is.
        dut.set_word(self.address, (clocks.rng.u32(..) & !0xfff) | transfer.offset);
        let size = match transfer.size {
            Size::Byte => 0,
            Size::Half => 1,
            Size::Word => 2,
        };
        dut.set_word(self.size, size);
        dut.set_word(self.write, u32::from(transfer.write.is_some()));
    }

    /// An address phase that does not overlap with a data phase of this slave: another one may hold it.
    fn first_address_phase(&self, clocks: &mut Clocks, transfer: &Transfer) {
        self.address_phase(clocks, transfer);
        for _ in 0..clocks.rng.u32(0..4).saturating_sub(1) {
            clocks.dut.set_word(self.ready_in, 0);
            clocks.tick();
        }
        clocks.dut.set_word(self.ready_in, 1);
        clocks.tick();
    }

    /// Nothing for this slave follows at once.
    fn no_address_phase(&self, clocks: &mut Clocks) {
        clocks.dut.set_word(self.select, 0);
        clocks.dut.set_word(self.kind, clocks.rng.u32(0..4));
        clocks.dut.set_word(self.address, clocks.rng.u32(..));
        clocks.dut.set_word(self.write, clocks.rng.u32(0..2));
    }
}

impl Signals for Ahb {
    /// Nothing for this slave; what stands on the wires is somebody else's.
    fn rest(&mut self, dut: &mut Dut, rng: &mut fastrand::Rng) {
        let selected = rng.u32(0..4) == 0;
        // Selected and idle, or busy with another slave.
        dut.set_word(self.select, selected.into());
        dut.set_word(self.kind, if selected { rng.u32(0..2) } else { rng.u32(0..4) });
        for port in [self.address, self.write_data] {
            dut.set_word(port, rng.u32(..));
        }
        dut.set_word(self.protection, rng.u32(0..16));
        dut.set_word(self.size, rng.u32(0..3));
        dut.set_word(self.write, rng.u32(0..2));
        dut.set_word(self.ready_in, rng.u32(0..2));
    }

    fn run(&mut self, clocks: &mut Clocks, transfers: &[Transfer]) -> Result<Vec<u32>, BusError> {
        let mut read = Vec::new();
        let mut next = transfers.iter();
        let mut addressed = next.next();
        if let Some(transfer) = addressed {
            self.first_address_phase(clocks, transfer);
        }
        while let Some(transfer) = addressed {
            addressed = next.next();
            // Another slave's transfer may come between two of this one's.
            let overlaps = clocks.rng.u32(0..4) > 0;
            match addressed {
                Some(transfer) if overlaps => self.address_phase(clocks, transfer),
                _ => self.no_address_phase(clocks),
            }
            let write_data = transfer.write.unwrap_or_else(|| clocks.rng.u32(..));
            clocks.dut.set_word(self.write_data, write_data);
            let (offset, mut waited) = (transfer.offset, 0);
            loop {
                clocks.dut.settle();
                if clocks.dut.get_word(self.ready) == 1 {
                    break;
                }
                waited += 1;
                if waited > PATIENCE {
                    let cycle = clocks.dut.cycle();
                    return Err(BusError::Stalled { face: "ahb", offset, clocks: waited, cycle });
                }
                clocks.tick();
            }
            if clocks.dut.get_word(self.response) != 0 {
                return Err(BusError::Refused { face: "ahb", offset, cycle: clocks.dut.cycle() });
            }
            let word = clocks.dut.get_word(self.read_data);
            read.push(if transfer.write.is_some() { 0 } else { word });
            clocks.tick();
            if let Some(transfer) = addressed.filter(|_| !overlaps) {
                self.first_address_phase(clocks, transfer);
            }
        }
        Ok(read)
    }
}
