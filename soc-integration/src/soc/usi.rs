// SPDX-License-Identifier: MIT OR Apache-2.0
//! wujian100's serial unit as a UART (`soc/usi0.v`): two queues, and the interrupts that the firmware uses.

use crate::wujian100::{USI_BITS, USI_FASTEST_DIVIDER, USI_FIFO, USI_OVERSAMPLING, USI_REGISTERS, number};
use driver::transport::BYTE_BITS;
use std::collections::VecDeque;

/// How long a byte takes on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As the divider says.
    Exact,
    /// As at the fastest rate, whatever it says: a simulation waits for nobody.
    Fast,
}

/// The unit; time is the SoC's clock.
#[derive(Clone, Debug)]
pub struct Usi {
    pace: Pace,
    enable: u32,
    mode: u32,
    divider: u32,
    control: u32,
    interrupt_control: u32,
    interrupt_enable: u32,
    interrupt_mask: u32,
    raw: u32,
    receive: VecDeque<u8>,
    send: VecDeque<u8>,
    /// When the byte that is being sent leaves the queue, and when the line is free again.
    sending: Option<(u64, u64)>,
    /// Bytes from the host, and when the first has arrived.
    coming: VecDeque<u8>,
    arrives: u64,
    /// Bytes for the host.
    gone: Vec<u8>,
    /// Bytes lost because nobody took them.
    overruns: u64,
    /// Whether the receiver takes its own start as the start of a byte, and from when to when it then listens to that.
    starts_falsely: bool,
    false_byte: Option<(u64, u64)>,
}

/// What a receiver hears that has begun a byte by itself `late` clocks before these bytes; a byte takes `byte` clocks.
fn misheard(bytes: &[u8], late: u64, byte: u64) -> Vec<u8> {
    let bits = u64::from(BYTE_BITS);
    let line: Vec<bool> = bytes
        .iter()
        .flat_map(|&byte| {
            std::iter::once(false)
                .chain((0..8).map(move |bit| byte >> bit & 1 == 1))
                .chain(std::iter::once(true))
        })
        .collect();
    // In half bits from the false start on; the line is high before and after.
    let late = (2 * bits * late).div_ceil(byte);
    let level = |half: u64| {
        half.checked_sub(late).is_none_or(|at| line.get(at as usize / 2).copied().unwrap_or(true))
    };
    let (mut heard, mut start, end) = (Vec::new(), 0, late + 2 * line.len() as u64);
    while start < end {
        // Sampled in the middle of every bit.
        let sampled = (0..8).fold(0, |byte, bit| byte | u8::from(level(start + 3 + 2 * bit)) << bit);
        heard.push(sampled);
        start += 2 * bits;
        while start < end && level(start) {
            start += 1;
        }
    }
    heard
}

fn bit(name: &str) -> u32 {
    number(USI_BITS, name)
}

impl Usi {
    /// A unit after reset.
    pub fn new(pace: Pace) -> Usi {
        Usi {
            pace,
            enable: 0,
            mode: 0,
            divider: 0x20,
            control: bit("UART_CTRL_8N1"),
            interrupt_control: 0x101,
            interrupt_enable: 0,
            interrupt_mask: 0,
            raw: 0,
            receive: VecDeque::new(),
            send: VecDeque::new(),
            sending: None,
            coming: VecDeque::new(),
            arrives: 0,
            gone: Vec::new(),
            overruns: 0,
            starts_falsely: false,
            false_byte: None,
        }
    }

    /// The same unit, whose receiver takes the low that stands on its input for a clock as it starts (`uart_en` comes a clock after
    /// `sdata_en`) as a start bit. On the RTL 4 of 18 starts did.
    pub fn starting_falsely(self) -> Usi {
        Usi { starts_falsely: true, ..self }
    }

    /// Clocks of a byte.
    pub fn byte_clocks(&self) -> u64 {
        let divider = if self.pace == Pace::Exact { self.divider } else { USI_FASTEST_DIVIDER };
        u64::from(BYTE_BITS * USI_OVERSAMPLING) * u64::from(divider + 1)
    }

    /// Bytes that were lost because the receive queue was full.
    pub fn overruns(&self) -> u64 {
        self.overruns
    }

    /// Divider that the firmware has set.
    pub fn divider(&self) -> u32 {
        self.divider
    }

    /// Whether it sends and receives.
    pub fn running(&self) -> bool {
        self.enable == bit("EN_ALL") && self.mode == bit("MODE_UART")
    }

    /// Bytes from the host; they arrive one after the other.
    pub fn host_sends(&mut self, bytes: &[u8], now: u64) {
        if let Some((from, to)) = self.false_byte.take_if(|(_, to)| now < *to) {
            let heard = misheard(bytes, now.saturating_sub(from), to - from);
            self.coming.clear();
            self.coming.extend(heard);
            return;
        }
        if self.coming.is_empty() {
            self.arrives = self.arrives.max(now) + self.byte_clocks();
        }
        self.coming.extend(bytes);
    }

    /// Whether bytes of the host are still on their way.
    pub fn host_waits(&self) -> bool {
        !self.coming.is_empty()
    }

    /// Whether a byte is on its way to the host.
    pub fn sends(&self) -> bool {
        self.sending.is_some()
    }

    /// Bytes that have gone to the host since this was last asked.
    pub fn host_receives(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.gone)
    }

    /// When something happens next by itself.
    pub fn next_event(&self) -> Option<u64> {
        let arrives = (!self.coming.is_empty()).then_some(self.arrives);
        let sends = self.sending.map(|(leaves, free)| if leaves == u64::MAX { free } else { leaves });
        arrives.into_iter().chain(sends).min()
    }

    /// Lets everything happen that happens until `now`.
    pub fn advance(&mut self, now: u64) {
        while let Some(at) = self.next_event().filter(|at| *at <= now) {
            if !self.coming.is_empty() && self.arrives == at {
                self.arrived(at);
            } else {
                self.sent(at);
            }
        }
    }

    fn raise(&mut self, name: &str) {
        self.raw |= bit(name) & self.interrupt_enable;
    }

    fn arrived(&mut self, at: u64) {
        let byte = self.coming.pop_front().unwrap_or(0);
        self.arrives = at + self.byte_clocks();
        if !self.running() {
            return;
        }
        if self.receive.len() == USI_FIFO {
            // As in the RTL, the oldest byte gives way.
            self.receive.pop_front();
            self.overruns += 1;
            self.raise("INTR_RX_WRITE_ERROR");
        }
        self.receive.push_back(byte);
        self.raise("INTR_UART_STOP");
    }

    fn sent(&mut self, at: u64) {
        match self.sending {
            // The queue's front moves on when the stop bit begins.
            Some((leaves, free)) if leaves != u64::MAX => {
                self.gone.extend(self.send.pop_front());
                self.sending = Some((u64::MAX, free));
            }
            _ => {
                self.sending = None;
                if self.send.is_empty() {
                    self.raise("INTR_UART_STOP");
                }
                self.begin(at);
            }
        }
        self.follow_empty();
    }

    fn begin(&mut self, now: u64) {
        if self.running() && self.sending.is_none() && !self.send.is_empty() {
            let (byte, bits) = (self.byte_clocks(), u64::from(BYTE_BITS));
            self.sending = Some((now + byte / bits * (bits - 1), now + byte));
        }
    }

    /// The interrupt of an empty queue is set as long as it is empty.
    fn follow_empty(&mut self) {
        if self.send.is_empty() {
            self.raise("INTR_TX_EMPTY");
        }
    }

    /// Level of the interrupt line.
    pub fn interrupt(&self) -> bool {
        self.raw & self.interrupt_mask != 0
    }

    fn name(offset: u32) -> Option<&'static str> {
        USI_REGISTERS.iter().find(|(_, known)| *known == offset).map(|(name, _)| *name)
    }

    /// Reads a register.
    pub fn read(&mut self, offset: u32) -> u32 {
        let count = |queue: &VecDeque<u8>, shift: &str| (queue.len() as u32) << bit(shift);
        match Usi::name(offset) {
            Some("EN") => self.enable,
            Some("MODE_SEL") => self.mode,
            Some("FIFO") => self.receive.pop_front().unwrap_or(0).into(),
            Some("FIFO_STA") => {
                count(&self.receive, "FIFO_STA_RX_COUNT_SHIFT")
                    | count(&self.send, "FIFO_STA_TX_COUNT_SHIFT")
                    | u32::from(self.receive.len() == USI_FIFO) << 3
                    | u32::from(self.receive.is_empty()) << 2
                    | u32::from(self.send.len() == USI_FIFO) << 1
                    | u32::from(self.send.is_empty())
            }
            Some("CLK_DIV0") => self.divider,
            Some("UART_CTRL") => self.control,
            Some("UART_STA") => u32::from(self.sending.is_some()),
            Some("INTR_CTRL") => self.interrupt_control,
            Some("INTR_EN") => self.interrupt_enable,
            Some("INTR_STA") => self.raw & self.interrupt_mask,
            Some("RAW_INTR_STA") => self.raw,
            Some("INTR_UNMASK") => self.interrupt_mask,
            _ => 0,
        }
    }

    /// Writes a register.
    pub fn write(&mut self, offset: u32, value: u32, now: u64) {
        match Usi::name(offset) {
            Some("EN") => {
                let before = self.running();
                self.enable = value & 0xf;
                if self.starts_falsely && self.running() && !before && self.coming.is_empty() {
                    // On a silent line: nothing but ones after the start bit.
                    self.arrives = now + self.byte_clocks();
                    self.false_byte = Some((now, self.arrives));
                    self.coming.push_back(u8::MAX);
                }
                if !self.running() {
                    self.receive.clear();
                    self.send.clear();
                    self.sending = None;
                }
            }
            Some("MODE_SEL") => self.mode = value & 3,
            Some("FIFO") if self.enable == bit("EN_ALL") && self.send.len() < USI_FIFO => {
                self.send.push_back(value as u8);
            }
            Some("CLK_DIV0") => self.divider = value & 0xff_ffff,
            Some("UART_CTRL") => self.control = value & 0x3f,
            Some("INTR_CTRL") => self.interrupt_control = value & 0x1_0303,
            Some("INTR_EN") => {
                self.interrupt_enable = value & 0x3_ffff;
                // A flag that is not enabled is held at 0.
                self.raw &= self.interrupt_enable;
            }
            Some("INTR_UNMASK") => self.interrupt_mask = value & 0x3_ffff,
            Some("INTR_CLR") => self.raw &= !value,
            _ => {}
        }
        self.begin(now);
        self.follow_empty();
    }
}
