// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells of a netlist by kind, per module and in all.

use crate::netlist::{Design, Kind};
use crate::primitive::Primitive;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// What a device offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// Name.
    pub name: &'static str,
    /// LUTs with six inputs, as logic or memory.
    pub lut: u64,
    /// Registers.
    pub ff: u64,
    /// Block RAMs of 36 Kbit.
    pub bram: u64,
    /// DSP48E1.
    pub dsp: u64,
}

impl Device {
    /// `CARRY4`: one per slice of four LUTs.
    pub fn carry4(&self) -> u64 {
        self.lut / 4
    }
}

/// The device that figures are given as a share of.
pub const XC7A200T: Device = Device { name: "XC7A200T", lut: 134_600, ff: 269_200, bram: 365, dsp: 740 };

/// Cells by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// LUTs as logic, by number of inputs less one.
    pub luts: [u64; 6],
    /// Inverters, which the vendor's tool absorbs where it can; not among the LUTs.
    pub inverters: u64,
    /// Registers.
    pub ff: u64,
    /// `CARRY4`.
    pub carry4: u64,
    /// `MUXF7` and `MUXF8`.
    pub muxf: u64,
    /// LUTs as memory or shift register.
    pub lutram: u64,
    /// Block RAMs in halves of 18 Kbit.
    pub bram_halves: u64,
    /// DSP48E1.
    pub dsp: u64,
}

impl Counts {
    /// LUTs as logic.
    pub fn lut(&self) -> u64 {
        self.luts.iter().sum()
    }

    /// Block RAMs in units of 36 Kbit.
    pub fn bram(&self) -> f64 {
        self.bram_halves as f64 / 2.0
    }

    /// This often.
    pub fn times(self, n: u64) -> Counts {
        Counts {
            luts: self.luts.map(|count| count * n),
            inverters: self.inverters * n,
            ff: self.ff * n,
            carry4: self.carry4 * n,
            muxf: self.muxf * n,
            lutram: self.lutram * n,
            bram_halves: self.bram_halves * n,
            dsp: self.dsp * n,
        }
    }

    fn count(&mut self, primitive: Primitive) {
        match primitive {
            // `Primitive::from_name` makes 1 to 6.
            Primitive::Lut(inputs) => self.luts[usize::from(inputs.clamp(1, 6)) - 1] += 1,
            Primitive::Inverter => self.inverters += 1,
            Primitive::Register => self.ff += 1,
            Primitive::Carry4 => self.carry4 += 1,
            Primitive::MuxF7 | Primitive::MuxF8 => self.muxf += 1,
            Primitive::LutRam(luts) => self.lutram += u64::from(luts),
            Primitive::ShiftRegister => self.lutram += 1,
            Primitive::BlockRam(halves) => self.bram_halves += u64::from(halves),
            Primitive::Dsp => self.dsp += 1,
            // An ECP5's cells are counted by its place-and-route.
            Primitive::Buffer | Primitive::Constant | Primitive::Carry2 => {}
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        for (mine, theirs) in self.luts.iter_mut().zip(other.luts) {
            *mine += theirs;
        }
        self.inverters += other.inverters;
        self.ff += other.ff;
        self.carry4 += other.carry4;
        self.muxf += other.muxf;
        self.lutram += other.lutram;
        self.bram_halves += other.bram_halves;
        self.dsp += other.dsp;
    }
}

/// One module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleUse {
    /// Name.
    pub name: String,
    /// How often it occurs.
    pub instances: u64,
    /// Cells of one instance, without the modules in it.
    pub own: Counts,
    /// Cells of one instance with everything in it.
    pub with_children: Counts,
}

/// A design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utilisation {
    /// Everything.
    pub total: Counts,
    /// Modules, parents before children.
    pub modules: Vec<ModuleUse>,
}

/// Counts a design.
pub fn count(design: &Design) -> Utilisation {
    let instances = design.instances();
    let mut below: BTreeMap<&str, Counts> = BTreeMap::new();
    let mut modules = Vec::new();
    for name in &design.order {
        let mut own = Counts::default();
        let mut children = Counts::default();
        for cell in &design.modules[name].cells {
            match &cell.kind {
                Kind::Primitive(primitive) => own.count(*primitive),
                Kind::Instance(child) => children += below.get(child.as_str()).copied().unwrap_or_default(),
            }
        }
        children += own;
        below.insert(name, children);
        modules.push(ModuleUse {
            name: name.clone(),
            instances: instances.get(name.as_str()).copied().unwrap_or(0),
            own,
            with_children: children,
        });
    }
    modules.reverse();
    Utilisation { total: below.get(design.top.as_str()).copied().unwrap_or_default(), modules }
}
