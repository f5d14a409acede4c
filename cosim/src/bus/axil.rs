// SPDX-License-Identifier: MIT OR Apache-2.0
//! AXI4-Lite: address and data of a write in any order, responses taken late.

use super::transfer::{BusError, Clocks, PATIENCE, Signals, Transfer};
use crate::dut::{Dut, PortId};

/// A channel's handshake.
#[derive(Clone, Copy)]
struct Channel {
    valid: PortId,
    ready: PortId,
}

pub(super) struct Axil {
    write_address: Channel,
    write_data: Channel,
    response: Channel,
    read_address: Channel,
    read_data: Channel,
    awaddr: PortId,
    awprot: PortId,
    wdata: PortId,
    wstrb: PortId,
    bresp: PortId,
    araddr: PortId,
    arprot: PortId,
    rdata: PortId,
    rresp: PortId,
}

impl Axil {
    pub(super) fn new(dut: &Dut) -> Axil {
        let port = |name: &str| dut.port(&format!("s_axil_{name}"));
        let channel = |name: &str| Channel {
            valid: port(&format!("{name}valid")),
            ready: port(&format!("{name}ready")),
        };
        Axil {
            write_address: channel("aw"),
            write_data: channel("w"),
            response: channel("b"),
            read_address: channel("ar"),
            read_data: channel("r"),
            awaddr: port("awaddr"),
            awprot: port("awprot"),
            wdata: port("wdata"),
            wstrb: port("wstrb"),
            bresp: port("bresp"),
            araddr: port("araddr"),
            arprot: port("arprot"),
            rdata: port("rdata"),
            rresp: port("rresp"),
        }
    }

    /// Runs until every one of the `masters`' beats has been taken, each presented at a random time and then held, and the
    /// `slave`'s beat has come and been taken; `payload` is read with it.
    fn exchange(
        &self,
        clocks: &mut Clocks,
        offset: u32,
        masters: &[Channel],
        slave: Channel,
        payload: [PortId; 2],
    ) -> Result<[u32; 2], BusError> {
        let mut waiting: Vec<Channel> = masters.to_vec();
        let mut presented = vec![false; masters.len()];
        let mut waited = 0;
        let mut held: Option<[u32; 2]> = None;
        loop {
            for (channel, presented) in masters.iter().zip(&mut presented) {
                *presented |= clocks.rng.u32(0..3) > 0;
                let waits = waiting.iter().any(|w| w.valid == channel.valid);
                clocks.dut.set_word(channel.valid, u32::from(*presented && waits));
            }
            let takes = clocks.rng.u32(0..3) > 0;
            clocks.dut.set_word(slave.ready, takes.into());
            clocks.dut.settle();
            let valid = clocks.dut.get_word(slave.valid) == 1;
            let words = payload.map(|port| clocks.dut.get_word(port));
            let cycle = clocks.dut.cycle();
            if valid && !waiting.is_empty() {
                return Err(BusError::Unasked { face: "axil", offset, cycle });
            }
            if held.is_some_and(|held| !valid || held != words) {
                return Err(BusError::Changed { face: "axil", offset, cycle });
            }
            held = valid.then_some(words);
            let came = takes && valid;
            waiting.retain(|channel| {
                clocks.dut.get_word(channel.valid) == 0 || clocks.dut.get_word(channel.ready) == 0
            });
            clocks.tick();
            if came {
                clocks.dut.set_word(slave.ready, 0);
                masters.iter().for_each(|channel| clocks.dut.set_word(channel.valid, 0));
                return Ok(words);
            }
            waited += 1;
            if waited > 4 * PATIENCE {
                return Err(BusError::Stalled {
                    face: "axil",
                    offset,
                    clocks: waited,
                    cycle: clocks.dut.cycle(),
                });
            }
        }
    }
}

impl Signals for Axil {
    fn rest(&mut self, dut: &mut Dut, rng: &mut fastrand::Rng) {
        for channel in [self.write_address, self.write_data, self.read_address] {
            dut.set_word(channel.valid, 0);
        }
        for channel in [self.response, self.read_data] {
            dut.set_word(channel.ready, rng.u32(0..2));
        }
        for (port, mask) in [
            (self.awaddr, 0xfff),
            (self.araddr, 0xfff),
            (self.awprot, 7),
            (self.arprot, 7),
            (self.wdata, u32::MAX),
            (self.wstrb, 15),
        ] {
            dut.set_word(port, rng.u32(..) & mask);
        }
    }

    fn run(&mut self, clocks: &mut Clocks, transfers: &[Transfer]) -> Result<Vec<u32>, BusError> {
        let mut read = Vec::new();
        for &Transfer { offset, size, write } in transfers {
            if [self.response, self.read_data].iter().any(|channel| clocks.dut.get_word(channel.valid) == 1) {
                return Err(BusError::Unasked { face: "axil", offset, cycle: clocks.dut.cycle() });
            }
            let [word, response] = match write {
                Some(value) => {
                    clocks.dut.set_word(self.awaddr, offset);
                    clocks.dut.set_word(self.wdata, value);
                    clocks.dut.set_word(self.wstrb, size.lanes(offset));
                    let masters = [self.write_address, self.write_data];
                    let [response, _] =
                        self.exchange(clocks, offset, &masters, self.response, [self.bresp; 2])?;
                    [0, response]
                }
                None => {
                    clocks.dut.set_word(self.araddr, offset);
                    let payload = [self.rdata, self.rresp];
                    self.exchange(clocks, offset, &[self.read_address], self.read_data, payload)?
                }
            };
            if response != 0 {
                return Err(BusError::Refused { face: "axil", offset, cycle: clocks.dut.cycle() });
            }
            read.push(word);
        }
        Ok(read)
    }
}
