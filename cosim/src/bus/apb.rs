// SPDX-License-Identifier: MIT OR Apache-2.0
//! APB without pready: a setup clock and an enable clock.

use super::transfer::{BusError, Clocks, Signals, Transfer};
use crate::dut::{Dut, PortId};

pub(super) struct Apb {
    address: PortId,
    enable: PortId,
    protection: PortId,
    select: PortId,
    write_data: PortId,
    write: PortId,
    read_data: PortId,
}

impl Apb {
    pub(super) fn new(dut: &Dut) -> Apb {
        Apb {
            address: dut.port("paddr"),
            enable: dut.port("penable"),
            protection: dut.port("pprot"),
            select: dut.port("psel"),
            write_data: dut.port("pwdata"),
            write: dut.port("pwrite"),
            read_data: dut.port("prdata"),
        }
    }
}

impl Signals for Apb {
    /// Not selected; the bus may be busy with another slave.
    fn rest(&mut self, dut: &mut Dut, rng: &mut fastrand::Rng) {
        dut.set_word(self.select, 0);
        for (port, values) in [(self.enable, 2), (self.write, 2), (self.protection, 8)] {
            dut.set_word(port, rng.u32(0..values));
        }
        for port in [self.address, self.write_data] {
            dut.set_word(port, rng.u32(..));
        }
    }

    fn run(&mut self, clocks: &mut Clocks, transfers: &[Transfer]) -> Result<Vec<u32>, BusError> {
        let mut read = Vec::new();
        for transfer in transfers {
            let dut = &mut clocks.dut;
            dut.set_word(self.select, 1);
            dut.set_word(self.enable, 0);
            dut.set_word(self.address, (clocks.rng.u32(..) & !0xfff) | transfer.offset);
            dut.set_word(self.write, u32::from(transfer.write.is_some()));
            dut.set_word(self.write_data, transfer.write.unwrap_or_else(|| clocks.rng.u32(..)));
            clocks.tick();
            clocks.dut.set_word(self.enable, 1);
            clocks.dut.settle();
            let word = clocks.dut.get_word(self.read_data);
            read.push(if transfer.write.is_some() { 0 } else { word });
            clocks.tick();
        }
        Ok(read)
    }
}
