// SPDX-License-Identifier: MIT OR Apache-2.0
//! The virtual board: wujian100 as far as the firmware uses it, around a slot that somebody else provides.
//!
//! [`terminal`] puts it on a pseudo-terminal in real time, [`latency`] tells where the time of a move goes on it.
//!
//! Time is the SoC's clock. A sleeping processor lets it jump to what happens next, so waiting costs nothing; timers alone
//! move it only as far as the caller allows, so that a board on a real line does not run ahead of it.

mod cpu;
pub mod decode;
pub mod latency;
#[cfg(unix)]
pub mod terminal;
mod timer;
mod usi;
mod world;

pub use cpu::{Cpu, Memory, Refused, Step, Trap};
pub use usi::Pace;
pub use world::Slot;

use crate::slots::SLOTS;
use crate::wujian100::{DSRAM, INTERRUPTS, ISRAM};
use world::World;

/// Clocks from an interrupt to its handler's first instruction: pipeline and vector.
const ENTRY_CLOCKS: u64 = 6;

/// Why [`Soc::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paused {
    /// Its clocks are used up.
    Budget,
    /// The processor sleeps, and what could wake it is the host, or a timer further away than allowed.
    Asleep,
}

/// What was seen of interrupts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interrupts {
    /// Handlers entered.
    pub taken: u64,
    /// Longest time from the rise of a line to its handler, in clocks.
    pub longest_wait: u64,
    /// Longest handler, in clocks.
    pub longest_handler: u64,
}

/// The board.
pub struct Soc {
    cpu: Cpu,
    world: World,
    asleep: bool,
    instructions: u64,
    interrupts: Interrupts,
    /// When each line that waits rose; when the handler that runs began.
    risen: [Option<u64>; INTERRUPTS as usize],
    handler: Option<u64>,
    lowest_stack: u32,
    traps: Vec<String>,
}

/// Traps that are remembered.
const KEPT_TRAPS: usize = 16;

impl Soc {
    /// A board after power-up with a program in its instruction SRAM and `slot` in slot `number`.
    ///
    /// # Panics
    /// If there is no such slot or the program is larger than its memory.
    pub fn new(program: &[u8], slot: Box<dyn Slot>, number: usize, pace: Pace) -> Soc {
        assert!(number < SLOTS.len(), "slots 0 to {}", SLOTS.len() - 1);
        let mut memory = vec![0; ISRAM.1 as usize];
        memory[..program.len()].copy_from_slice(program);
        Soc {
            cpu: Cpu::new(ISRAM.1),
            world: World::new(memory, slot, number, pace),
            asleep: false,
            instructions: 0,
            interrupts: Interrupts::default(),
            risen: [None; INTERRUPTS as usize],
            handler: None,
            lowest_stack: u32::MAX,
            traps: Vec::new(),
        }
    }

    /// The same board, whose UART may hear a byte as it starts that nobody sent, as wujian100's does now and then
    /// (`usi::Usi::starting_falsely`).
    pub fn starting_falsely(mut self) -> Soc {
        self.world.usi = self.world.usi.starting_falsely();
        self
    }

    /// Whether the firmware listens to the line.
    pub fn listens(&self) -> bool {
        self.world.usi.running()
    }

    /// Clocks since power-up.
    pub fn clock(&self) -> u64 {
        self.world.clock
    }

    /// Instructions carried out.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// What was seen of interrupts.
    pub fn interrupts(&self) -> Interrupts {
        self.interrupts
    }

    /// Lowest value of the stack pointer in the data memory, once it was there.
    pub fn lowest_stack(&self) -> Option<u32> {
        (self.lowest_stack != u32::MAX).then_some(self.lowest_stack)
    }

    /// The first exceptions and faults of the slot's bus, in words. A sound firmware has none.
    pub fn traps(&self) -> &[String] {
        &self.traps
    }

    /// Bytes that the UART lost because nobody took them.
    pub fn overruns(&self) -> u64 {
        self.world.usi.overruns()
    }

    /// Divider that the firmware gave the UART.
    pub fn divider(&self) -> u32 {
        self.world.usi.divider()
    }

    /// The processor.
    pub fn cpu(&self) -> &Cpu {
        &self.cpu
    }

    /// Writes to memory as a debugger does; bytes beyond it are dropped.
    pub fn poke(&mut self, address: u32, bytes: &[u8]) {
        for (at, byte) in (address..).zip(bytes) {
            self.cpu.forget(at & !1);
            if let Some(memory) = self.world.memory(at, 1) {
                memory[0] = *byte;
            }
        }
    }

    /// Program memory.
    pub fn program(&self) -> &[u8] {
        &self.world.program
    }

    /// Data memory.
    pub fn data(&self) -> &[u8] {
        &self.world.data
    }

    /// Bytes from the host to the UART.
    pub fn send(&mut self, bytes: &[u8]) {
        self.world.usi.host_sends(bytes, self.world.clock);
    }

    /// Whether bytes from the host are still on the line.
    pub fn sending(&self) -> bool {
        self.world.usi.host_waits()
    }

    /// Whether a byte is on its way from the UART to the host.
    pub fn answering(&self) -> bool {
        self.world.usi.sends()
    }

    /// Bytes from the UART to the host since this was last asked.
    pub fn receive(&mut self) -> Vec<u8> {
        self.world.usi.host_receives()
    }

    fn trapped(&mut self, text: String) {
        if self.traps.len() < KEPT_TRAPS {
            self.traps.push(text);
        }
    }

    /// Lets the clock catch up with the processor, the slot with the clock, and everything happen that is due.
    fn pass(&mut self, clocks: u64) {
        let world = &mut self.world;
        world.clock += clocks;
        let mut left = clocks + std::mem::take(&mut world.behind);
        if !world.slot.quiet() {
            while left > 0 && !world.slot.quiet() {
                left -= world.slot.advance(left).clamp(1, left);
            }
        }
        world.happen();
    }

    /// The interrupt that is taken next: the highest priority, then the highest number.
    fn pending(&mut self) -> Option<u32> {
        let mut best: Option<u32> = None;
        for number in self.world.lines() {
            let index = number as usize;
            if !self.world.enabled[index] {
                self.risen[index] = None;
                continue;
            }
            if !self.world.line(number) {
                self.risen[index] = None;
                continue;
            }
            self.risen[index].get_or_insert(self.world.clock);
            let rank = |number: u32| (self.world.priority[number as usize], number);
            if best.is_none_or(|best| rank(number) > rank(best)) {
                best = Some(number);
            }
        }
        best
    }

    fn take(&mut self, number: u32) {
        let waited = self.risen[number as usize].take().map_or(0, |risen| self.world.clock - risen);
        self.interrupts.taken += 1;
        self.interrupts.longest_wait = self.interrupts.longest_wait.max(waited + ENTRY_CLOCKS);
        self.handler = Some(self.world.clock);
        let level = self.world.level(number);
        if self.cpu.interrupt(number, level, &mut self.world).is_err() {
            self.trapped(format!("no vector for interrupt {number}"));
        }
        self.pass(ENTRY_CLOCKS);
    }

    /// Runs for `budget` clocks of work, of which timers may bring `idle` more to pass while nothing else happens.
    pub fn run(&mut self, budget: u64, mut idle: u64) -> Paused {
        let mut used = 0;
        while used < budget {
            let pending = self.pending();
            if self.asleep {
                if pending.is_none() {
                    match self.sleep(budget - used, &mut idle) {
                        Some(clocks) => used += clocks,
                        None => return Paused::Asleep,
                    }
                    continue;
                }
                self.asleep = false;
            }
            if let Some(number) = pending.filter(|number| self.cpu.interruptible(self.world.level(*number))) {
                self.take(number);
                used += ENTRY_CLOCKS;
                continue;
            }
            used += self.step();
        }
        Paused::Budget
    }

    fn step(&mut self) -> u64 {
        let (at, before) = (self.cpu.pc(), self.world.clock);
        let mut clocks = 0;
        let step = self.cpu.step(&mut self.world, &mut clocks);
        self.instructions += 1;
        self.pass(clocks);
        let sp = self.cpu.stack_pointer();
        if sp >= DSRAM.0 && sp - DSRAM.0 <= DSRAM.1 {
            self.lowest_stack = self.lowest_stack.min(sp);
        }
        match step {
            Step::Executed => {}
            Step::Sleeps => self.asleep = true,
            Step::Returned => {
                if let Some(begun) = self.handler.take() {
                    self.interrupts.longest_handler =
                        self.interrupts.longest_handler.max(self.world.clock - begun);
                }
            }
            Step::Trapped(trap) => self.trapped(format!("{trap:?} at 0x{at:08x}")),
        }
        if let Some(broken) = self.world.broken.take() {
            self.trapped(format!("slot: {broken}"));
        }
        self.world.clock - before
    }

    /// Time passes until something may wake the processor; the clocks it took, or none if only the host can.
    fn sleep(&mut self, budget: u64, idle: &mut u64) -> Option<u64> {
        let world = &mut self.world;
        let line = world.usi.next_event();
        let timer = world.timer.next_event();
        let until = |event: Option<u64>| event.map(|at| at.saturating_sub(world.clock).max(1));
        if !world.slot.quiet() {
            let most = until(line).into_iter().chain(until(timer)).chain([budget]).min()?;
            let passed = world.slot.advance(most).clamp(1, most);
            world.clock += passed;
            world.happen();
            return Some(passed);
        }
        // The line's own time is nobody's waiting: timers run along with it.
        if let Some(wait) = until(line) {
            world.clock += until(timer).map_or(wait, |timer| timer.min(wait));
            world.happen();
            return Some(1);
        }
        match until(timer) {
            Some(wait) if wait <= *idle => {
                *idle -= wait;
                world.clock += wait;
                world.happen();
                Some(1)
            }
            _ => {
                world.clock += std::mem::take(idle);
                world.happen();
                None
            }
        }
    }
}
