// SPDX-License-Identifier: MIT OR Apache-2.0
//! Everything of the virtual board but its processor: memories, UART, timer, interrupt controller, slots.

use super::cpu::{Memory, Refused};
use super::timer::Timer;
use super::usi::{Pace, Usi};
use crate::slots::SLOTS;
use crate::wujian100::{
    CLIC_CONFIGURATION, CLIC_ENABLE, CLIC_PENDING, CLIC_PRIORITY, CORET, CORET_INTERRUPT, DSRAM, INTERRUPTS,
    ISRAM, USI0, USI0_INTERRUPT,
};

/// What is mounted in a slot.
pub trait Slot {
    /// A read of 1, 2 or 4 bytes, right-aligned.
    fn read(&mut self, offset: u32, bytes: u32) -> Result<u32, String>;
    /// A write of 1, 2 or 4 bytes, right-aligned.
    fn write(&mut self, offset: u32, bytes: u32, value: u32) -> Result<(), String>;
    /// Lets clocks pass; it may stop early when nothing more can happen, or when its interrupt changes. Returns how many
    /// passed.
    fn advance(&mut self, clocks: u64) -> u64;
    /// Level of its interrupt line.
    fn interrupt(&self) -> bool;
    /// Whether clocks change nothing until the next access.
    fn quiet(&self) -> bool;
}

/// Clocks that the bus matrix adds to an access of a peripheral. Source: reference, "register read about 6 cycles", two of
/// them the slot's own.
const MATRIX_CLOCKS: u64 = 4;
/// Clocks of a slot access on its own bus.
const SLOT_CLOCKS: u64 = 2;
/// Priority bits of an interrupt.
const PRIORITY_BITS: u32 = 3;

/// Everything but the processor.
pub struct World {
    pub program: Vec<u8>,
    pub data: Vec<u8>,
    pub usi: Usi,
    pub timer: Timer,
    pub enabled: [bool; INTERRUPTS as usize],
    pub priority: [u8; INTERRUPTS as usize],
    clic_configuration: u8,
    pub slot: Box<dyn Slot>,
    slot_number: usize,
    pub clock: u64,
    /// Clocks that the bus took and the slot has not seen yet.
    pub behind: u64,
    /// A slot that broke its bus.
    pub broken: Option<String>,
}

impl World {
    /// After power-up.
    pub fn new(program: Vec<u8>, slot: Box<dyn Slot>, slot_number: usize, pace: Pace) -> World {
        World {
            program,
            data: vec![0; DSRAM.1 as usize],
            usi: Usi::new(pace),
            timer: Timer::default(),
            enabled: [false; INTERRUPTS as usize],
            priority: [0; INTERRUPTS as usize],
            clic_configuration: 0,
            slot,
            slot_number,
            clock: 0,
            behind: 0,
            broken: None,
        }
    }

    pub fn happen(&mut self) {
        self.usi.advance(self.clock);
        self.timer.advance(self.clock);
    }

    /// Interrupts that something here can raise.
    pub fn lines(&self) -> [u32; 3] {
        [CORET_INTERRUPT, USI0_INTERRUPT, SLOTS[self.slot_number].interrupt]
    }

    /// Level of an interrupt: its priority bits, the others set. Priority 0 is above no level but 0.
    pub fn level(&self, number: u32) -> u8 {
        self.priority[number as usize] | (0xff >> PRIORITY_BITS)
    }

    pub fn line(&self, number: u32) -> bool {
        match number {
            CORET_INTERRUPT => self.timer.interrupt(),
            USI0_INTERRUPT => self.usi.interrupt(),
            number => number == SLOTS[self.slot_number].interrupt && self.slot.interrupt(),
        }
    }

    /// Offset in the mounted slot, if the address is one of its.
    fn slot_offset(&self, address: u32) -> Option<u32> {
        let slot = &SLOTS[self.slot_number];
        address.checked_sub(slot.base).filter(|offset| *offset < slot.bytes)
    }

    /// Whether an empty slot is there: it reads 0.
    fn in_empty_slot(&self, address: u32) -> bool {
        SLOTS.iter().any(|slot| address.wrapping_sub(slot.base) < slot.bytes)
    }

    pub fn memory(&mut self, address: u32, bytes: u32) -> Option<&mut [u8]> {
        let (memory, base) = match address {
            address if address.wrapping_sub(ISRAM.0) < ISRAM.1 => (&mut self.program, ISRAM.0),
            address if address.wrapping_sub(DSRAM.0) < DSRAM.1 => (&mut self.data, DSRAM.0),
            _ => return None,
        };
        let from = (address - base) as usize;
        memory.get_mut(from..from + bytes as usize)
    }

    /// A word of the USI for an access of any size within it.
    fn in_usi(address: u32) -> Option<u32> {
        address.checked_sub(USI0).filter(|offset| *offset < 0x1000)
    }

    fn in_timer(address: u32) -> Option<u32> {
        address.checked_sub(CORET).filter(|offset| *offset < 0x10)
    }

    /// Which byte array of the interrupt controller an address is in, and which interrupt.
    fn in_clic(address: u32) -> Option<(u32, usize)> {
        [CLIC_PENDING, CLIC_ENABLE, CLIC_PRIORITY].into_iter().find_map(|base| {
            address.checked_sub(base).filter(|index| *index < INTERRUPTS).map(|index| (base, index as usize))
        })
    }
}

impl Memory for World {
    fn load(&mut self, address: u32, bytes: u32) -> Result<u32, Refused> {
        if !address.is_multiple_of(bytes) {
            return Err(Refused::Misaligned);
        }
        if let Some(memory) = self.memory(address, bytes) {
            return Ok(memory.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte)));
        }
        if let Some(offset) = self.slot_offset(address) {
            self.clock += MATRIX_CLOCKS + SLOT_CLOCKS;
            self.behind += MATRIX_CLOCKS;
            let read = self.slot.read(offset, bytes);
            return Ok(read.unwrap_or_else(|broken| {
                self.broken = Some(broken);
                0
            }));
        }
        let shift = 8 * (address & 3);
        if let Some(offset) = World::in_usi(address) {
            self.clock += MATRIX_CLOCKS;
            self.behind += MATRIX_CLOCKS;
            self.happen();
            return Ok(self.usi.read(offset & !3) >> shift);
        }
        if let Some(offset) = World::in_timer(address) {
            return Ok(self.timer.read(offset & !3, self.clock) >> shift);
        }
        if let Some((base, index)) = World::in_clic(address) {
            return Ok(match base {
                CLIC_PENDING => u32::from(self.line(index as u32)),
                CLIC_ENABLE => u32::from(self.enabled[index]),
                _ => self.priority[index].into(),
            });
        }
        match address {
            CLIC_CONFIGURATION => Ok(self.clic_configuration.into()),
            _ if self.in_empty_slot(address) => Ok(0),
            _ => Err(Refused::Nothing),
        }
    }

    fn store(&mut self, address: u32, bytes: u32, value: u32) -> Result<(), Refused> {
        if !address.is_multiple_of(bytes) {
            return Err(Refused::Misaligned);
        }
        if let Some(memory) = self.memory(address, bytes) {
            memory.copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
            return Ok(());
        }
        if let Some(offset) = self.slot_offset(address) {
            self.clock += MATRIX_CLOCKS + SLOT_CLOCKS;
            self.behind += MATRIX_CLOCKS;
            if let Err(broken) = self.slot.write(offset, bytes, value) {
                self.broken = Some(broken);
            }
            return Ok(());
        }
        if let Some(offset) = World::in_usi(address) {
            self.clock += MATRIX_CLOCKS;
            self.behind += MATRIX_CLOCKS;
            self.happen();
            self.usi.write(offset & !3, value, self.clock);
            return Ok(());
        }
        if let Some(offset) = World::in_timer(address) {
            self.timer.write(offset & !3, value, self.clock);
            return Ok(());
        }
        if let Some((base, index)) = World::in_clic(address) {
            match base {
                CLIC_ENABLE => self.enabled[index] = value & 1 != 0,
                CLIC_PRIORITY => self.priority[index] = value as u8,
                // Lines are levels: what is pending follows them.
                _ => {}
            }
            return Ok(());
        }
        match address {
            CLIC_CONFIGURATION => self.clic_configuration = value as u8,
            _ if self.in_empty_slot(address) => {}
            _ => return Err(Refused::Nothing),
        }
        Ok(())
    }

    fn fetch(&self, address: u32) -> Option<u16> {
        let from = address.wrapping_sub(ISRAM.0) as usize;
        let bytes = self.program.get(from..from.checked_add(2)?)?;
        Some(u16::from_le_bytes([bytes[0], bytes[1]]))
    }
}
