// SPDX-License-Identifier: MIT OR Apache-2.0
//! The core's clock from the board's.

use crate::values::Family;

/// Why there is no such clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PllError {
    /// No setting comes near enough.
    #[error(
        "cannot make {wanted} Hz from {from} Hz: name another `core_hz`, or none for the board's own clock"
    )]
    NoSetting {
        /// The board's clock in Hz.
        from: u32,
        /// What is wanted.
        wanted: u32,
    },
    /// The family has none here.
    #[error(
        "of this family no clock generator is described here: leave `core_hz` out, the core then runs at the board's clock"
    )]
    NoneHere,
}

/// Settings of a clock generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pll {
    /// The board's clock in Hz.
    pub from: u32,
    /// The core's clock in Hz.
    pub to: u32,
    /// What the board's clock is divided by.
    pub input: u32,
    /// What it is multiplied by then.
    pub feedback: u32,
    /// Oscillations of the generator in a clock of the core.
    pub output: u32,
}

/// Rates of the ECP5's generator in Hz (Lattice FPGA-DS-02012, sysCLOCK PLL timing).
const ECP5_VCO: std::ops::RangeInclusive<u64> = 400_000_000..=800_000_000;
/// Slowest rate in Hz at which its phases are compared.
const ECP5_COMPARED: u32 = 3_125_000;
/// Widest of its dividers.
const ECP5_DIVIDER: u32 = 128;

impl Pll {
    /// Settings that make exactly this clock.
    pub fn new(family: Family, from: u32, wanted: u32) -> Result<Pll, PllError> {
        if family != Family::Ecp5 {
            return Err(PllError::NoneHere);
        }
        let middle = (ECP5_VCO.start() + ECP5_VCO.end()) / 2;
        let inputs = (1..=ECP5_DIVIDER).take_while(|input| from / input >= ECP5_COMPARED);
        let exact = inputs.filter_map(|input| {
            let feedback = u64::from(wanted) * u64::from(input);
            (feedback % u64::from(from) == 0).then_some((input, feedback / u64::from(from)))
        });
        let mut settings = exact
            .filter(|(_, feedback)| (1..=u64::from(ECP5_DIVIDER)).contains(feedback))
            .flat_map(|(input, feedback)| {
                let vco = move |output: u32| u64::from(wanted) * u64::from(output);
                let outputs = (1..=ECP5_DIVIDER).filter(move |output| ECP5_VCO.contains(&vco(*output)));
                let best = outputs.min_by_key(move |output| vco(*output).abs_diff(middle));
                best.map(|output| Pll { from, to: wanted, input, feedback: feedback as u32, output })
            });
        settings.next().ok_or(PllError::NoSetting { from, wanted })
    }

    /// An instance named `pll` from `clk` to `clock`, with `locked`.
    pub fn verilog(self) -> String {
        let mhz = |hz: u32| f64::from(hz) / 1e6;
        format!(
            "  (* FREQUENCY_PIN_CLKI = \"{from}\", FREQUENCY_PIN_CLKOP = \"{to}\", ICP_CURRENT = \"12\", LPF_RESISTOR = \"8\" *)\n  \
             (* MFG_ENABLE_FILTEROPAMP = \"1\", MFG_GMCREF_SEL = \"2\" *)\n  \
             EHXPLLL #(\n    .PLLRST_ENA(\"DISABLED\"), .INTFB_WAKE(\"DISABLED\"), .STDBY_ENABLE(\"DISABLED\"), .DPHASE_SOURCE(\"DISABLED\"),\n    \
             .OUTDIVIDER_MUXA(\"DIVA\"), .OUTDIVIDER_MUXB(\"DIVB\"), .OUTDIVIDER_MUXC(\"DIVC\"), .OUTDIVIDER_MUXD(\"DIVD\"),\n    \
             .CLKI_DIV({input}), .CLKOP_ENABLE(\"ENABLED\"), .CLKOP_DIV({output}), .CLKOP_CPHASE({phase}), .CLKOP_FPHASE(0),\n    \
             .FEEDBK_PATH(\"CLKOP\"), .CLKFB_DIV({feedback})\n  ) pll (\n    \
             .CLKI(clk), .CLKFB(clock), .CLKOP(clock), .LOCK(locked), .RST(1'b0), .STDBY(1'b0), .PHASESEL0(1'b0), .PHASESEL1(1'b0),\n    \
             .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)\n  );\n",
            from = mhz(self.from),
            to = mhz(self.to),
            input = self.input,
            output = self.output,
            phase = self.output / 2,
            feedback = self.feedback,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_exact_and_the_generator_is_within_its_rates() {
        for (from, wanted) in [(25, 50), (25, 65), (25, 80), (25, 100), (12, 48), (25, 40)] {
            let (from, wanted) = (from * 1_000_000, wanted * 1_000_000);
            let pll = Pll::new(Family::Ecp5, from, wanted).unwrap();
            assert_eq!(
                u64::from(from) / u64::from(pll.input) * u64::from(pll.feedback),
                u64::from(wanted),
                "{pll:?}"
            );
            assert!(ECP5_VCO.contains(&(u64::from(wanted) * u64::from(pll.output))), "{pll:?}");
        }
        assert!(Pll::new(Family::Ecp5, 25_000_000, 51_234_567).is_err());
        assert_eq!(Pll::new(Family::Gowin, 50_000_000, 60_000_000), Err(PllError::NoneHere));
    }
}
