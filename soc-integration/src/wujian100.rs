// SPDX-License-Identifier: MIT OR Apache-2.0
//! What of wujian100 the firmware touches and the virtual board models: memory, UART, interrupt controller, timer
//! (XUANTIE-RV/wujian100_open at 83e2975: `soc/matrix.v`, `soc/usi0.v`, `soc/E902_20191018.v`, its SDK).

/// Clock as delivered, in Hz.
pub const CLOCK_HZ: u32 = 20_000_000;
/// Program memory: base and bytes.
pub const ISRAM: (u32, u32) = (0x0000_0000, 0x1_0000);
/// Data memory, three blocks in a row: base and bytes.
pub const DSRAM: (u32, u32) = (0x2000_0000, 0x3_0000);
/// Base of the first UART, on the pins of socket 4: TXD = USI0_SD0, RXD = USI0_SCLK.
pub const USI0: u32 = 0x5002_8000;
/// Interrupt of the first UART.
pub const USI0_INTERRUPT: u32 = 28;
/// Base of the timer in the processor.
pub const CORET: u32 = 0xe000_e010;
/// Interrupt of the timer.
pub const CORET_INTERRUPT: u32 = 7;
/// Interrupt controller: pending, enable and priority, a byte each per interrupt, and its configuration byte.
pub const CLIC_PENDING: u32 = 0xe000_e100;
/// See [`CLIC_PENDING`].
pub const CLIC_ENABLE: u32 = 0xe000_e500;
/// See [`CLIC_PENDING`].
pub const CLIC_PRIORITY: u32 = 0xe000_e900;
/// See [`CLIC_PENDING`].
pub const CLIC_CONFIGURATION: u32 = 0xe000_ec00;
/// Interrupts of the controller.
pub const INTERRUPTS: u32 = 64;
/// CSR that holds the address of the vector table.
pub const CSR_MTVT: u32 = 0x307;

/// Bytes that the UART's queues hold, each way.
pub const USI_FIFO: usize = 16;
/// Clocks of a bit at divider 0; a divider d makes it (d + 1) times as long.
pub const USI_OVERSAMPLING: u32 = 16;

/// Smallest divider that receives. At 0 the receiver's bit counter runs on between bytes (`rxcnt_1bit` in `soc/usi0.v`
/// counts whenever the divider's counter is at its end, which at 0 it always is), so that a byte is sampled at a phase
/// of its own: in simulation of the RTL one byte in some dozens is wrong. Sending works at 0.
pub const USI_FASTEST_DIVIDER: u32 = 1;

/// Registers of the UART: name and offset.
pub const USI_REGISTERS: &[(&str, u32)] = &[
    ("EN", 0x00),
    ("MODE_SEL", 0x04),
    ("FIFO", 0x08),
    ("FIFO_STA", 0x0c),
    ("CLK_DIV0", 0x10),
    ("UART_CTRL", 0x18),
    ("UART_STA", 0x1c),
    ("INTR_CTRL", 0x4c),
    ("INTR_EN", 0x50),
    ("INTR_STA", 0x54),
    ("RAW_INTR_STA", 0x58),
    ("INTR_UNMASK", 0x5c),
    ("INTR_CLR", 0x60),
];
/// Bits and values of the UART: name and value.
pub const USI_BITS: &[(&str, u32)] = &[
    ("EN_ALL", 0xf),
    ("MODE_UART", 0),
    ("UART_CTRL_8N1", 3),
    ("FIFO_STA_RX_COUNT_SHIFT", 16),
    ("FIFO_STA_TX_COUNT_SHIFT", 8),
    ("FIFO_STA_COUNT_MASK", 0x1f),
    ("INTR_TX_EMPTY", 1 << 1),
    ("INTR_RX_WRITE_ERROR", 1 << 9),
    ("INTR_UART_STOP", 1 << 10),
];
/// Registers of the timer: name and offset.
pub const CORET_REGISTERS: &[(&str, u32)] = &[("CTRL", 0x0), ("LOAD", 0x4), ("VAL", 0x8)];
/// Bits of the timer's CTRL. Reading CTRL clears the flag and with it the interrupt.
pub const CORET_BITS: &[(&str, u32)] =
    &[("ENABLE", 1 << 0), ("TICKINT", 1 << 1), ("CLKSOURCE", 1 << 2), ("COUNTFLAG", 1 << 16)];

/// The number of a name in one of these lists.
///
/// # Panics
/// If the list has no such name.
pub fn number(list: &[(&str, u32)], name: &str) -> u32 {
    let found = list.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("no {name}")).1
}

/// Share by which a rate may be off: a receiver that samples in the middle of bits bears twice that, for both ends.
pub const RATE_TOLERANCE: f64 = 0.025;

/// Divider of the UART that comes nearest to a rate, at least [`USI_FASTEST_DIVIDER`].
fn nearest_divider(clock_hz: u32, baud: u32) -> u32 {
    let exact = f64::from(clock_hz) / f64::from(USI_OVERSAMPLING) / f64::from(baud.max(1)) - 1.0;
    exact.round().clamp(f64::from(USI_FASTEST_DIVIDER), f64::from((1u32 << 24) - 1)) as u32
}

/// Divider of the UART for a rate, rounded as the vendor's driver does; none if no divider comes near enough.
pub fn divider(clock_hz: u32, baud: u32) -> Option<u32> {
    let divider = nearest_divider(clock_hz, baud);
    let error = rate(clock_hz, divider) / f64::from(baud.max(1)) - 1.0;
    (error.abs() <= RATE_TOLERANCE).then_some(divider)
}

/// The rates next to one that cannot be had, in words.
pub fn nearest_rates(clock_hz: u32, baud: u32) -> String {
    let nearest = nearest_divider(clock_hz, baud);
    let mut dividers = vec![nearest + 1, nearest];
    dividers.extend(nearest.checked_sub(1).filter(|divider| *divider >= USI_FASTEST_DIVIDER));
    let rates: Vec<String> =
        dividers.iter().map(|divider| format!("{:.0}", rate(clock_hz, *divider))).collect();
    rates.join(", ")
}

/// Fastest rate of the UART, in baud.
pub fn fastest_rate(clock_hz: u32) -> u32 {
    clock_hz / USI_OVERSAMPLING / (USI_FASTEST_DIVIDER + 1)
}

/// Rate that a divider gives, in baud.
pub fn rate(clock_hz: u32, divider: u32) -> f64 {
    f64::from(clock_hz) / f64::from(USI_OVERSAMPLING) / f64::from(divider + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dividers_are_the_vendor_drivers() {
        assert_eq!(divider(CLOCK_HZ, 115_200), Some(10));
        assert_eq!(divider(CLOCK_HZ, 9_600), Some(129));
        assert_eq!(divider(CLOCK_HZ, 625_000), Some(1));
        assert_eq!(divider(CLOCK_HZ, 1_250_000), None);
        assert_eq!(fastest_rate(CLOCK_HZ), 625_000);
        // 230,400 would be 250,000.
        assert_eq!(divider(CLOCK_HZ, 230_400), None);
        assert_eq!(nearest_rates(CLOCK_HZ, 230_400), "208333, 250000, 312500");
        assert!((rate(CLOCK_HZ, 10) - 113_636.4).abs() < 0.1);
    }
}
