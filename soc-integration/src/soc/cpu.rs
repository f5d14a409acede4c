// SPDX-License-Identifier: MIT OR Apache-2.0
//! An RV32EMC processor in machine mode with vectored interrupts, as the E902 has them.
//!
//! Clocks of an instruction are approximate: one, one more for a taken branch and for a store, [`DIVISION_CLOCKS`] for a
//! division; what a bus takes comes on top. With these the time between a request and its reply is within 7 % of what the
//! SoC's RTL takes in simulation (docs/board.md).

use super::decode::{Alu, Condition, CsrOp, Instruction, Operand, REGISTERS, decode};
use crate::wujian100::{CSR_MTVT, INTERRUPTS};

/// Clocks of a division.
pub const DIVISION_CLOCKS: u64 = 33;
/// misa: RV32, E, M and C.
const MISA: u32 = 0x4000_1014;
const MSTATUS_MIE: u32 = 1 << 3;
const MSTATUS_MPIE: u32 = 1 << 7;
/// Machine mode in mstatus.MPP, and in mcause.
const MSTATUS_MPP: u32 = 3 << 11;
const MCAUSE_MPP: u32 = 3 << 28;
const MCAUSE_MPIE: u32 = 1 << 27;
/// Level before, in bits 23:16 of mcause.
const MCAUSE_MPIL_SHIFT: u32 = 16;
const MCAUSE_INTERRUPT: u32 = 1 << 31;

/// What a load, a store or a fetch meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Nothing is there.
    Nothing,
    /// Something is there, but not at this size or alignment.
    Misaligned,
}

/// What the processor sees of the world. Sizes are 1, 2 or 4 bytes; values are right-aligned.
pub trait Memory {
    /// Reads; also fetches instructions, half a word at a time.
    fn load(&mut self, address: u32, bytes: u32) -> Result<u32, Refused>;
    /// Writes.
    fn store(&mut self, address: u32, bytes: u32, value: u32) -> Result<(), Refused>;
    /// Half a word of a program, without an effect.
    fn fetch(&self, address: u32) -> Option<u16>;
}

/// Why the processor left its program's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    /// Nothing to fetch here.
    FetchFault = 1,
    /// Unknown instruction, register or CSR.
    Illegal = 2,
    /// EBREAK.
    Breakpoint = 3,
    /// A load that is not aligned.
    LoadMisaligned = 4,
    /// A load from nowhere.
    LoadFault = 5,
    /// A store that is not aligned.
    StoreMisaligned = 6,
    /// A store to nowhere.
    StoreFault = 7,
    /// ECALL.
    Call = 11,
}

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An instruction.
    Executed,
    /// An instruction that asked to sleep.
    Sleeps,
    /// The end of an interrupt or trap handler.
    Returned,
    /// An exception: the processor is at its handler.
    Trapped(Trap),
}

/// The processor's state.
#[derive(Clone, Debug)]
pub struct Cpu {
    registers: [u32; REGISTERS as usize],
    pc: u32,
    mstatus: u32,
    mtvec: u32,
    mtvt: u32,
    mscratch: u32,
    mepc: u32,
    mcause: u32,
    mtval: u32,
    /// Level of the interrupt that is handled; others are taken above it only, and it ends with MRET only.
    level: u8,
    /// Instructions decoded before, by half word of the first block of memory.
    decoded: Vec<Option<(Instruction, u32)>>,
}

impl Cpu {
    /// A processor after reset: it begins at 0. Programs lie below `program_bytes`.
    pub fn new(program_bytes: u32) -> Cpu {
        Cpu {
            registers: [0; REGISTERS as usize],
            pc: 0,
            mstatus: MSTATUS_MPP,
            mtvec: 3,
            mtvt: 0,
            mscratch: 0,
            mepc: 0,
            mcause: 0,
            mtval: 0,
            level: 0,
            decoded: vec![None; (program_bytes / 2) as usize],
        }
    }

    /// Address of the next instruction.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// A register, x0 to x15.
    pub fn register(&self, number: usize) -> u32 {
        self.registers[number % self.registers.len()]
    }

    /// Address of the vector table.
    pub fn vectors(&self) -> u32 {
        self.mtvt
    }

    /// The stack pointer.
    pub fn stack_pointer(&self) -> u32 {
        self.registers[2]
    }

    /// Whether an interrupt of this level is taken.
    pub fn interruptible(&self, level: u8) -> bool {
        self.mstatus & MSTATUS_MIE != 0 && level > self.level
    }

    /// Forgets what was decoded at an address that was written.
    pub fn forget(&mut self, address: u32) {
        // The instruction before may reach into it.
        for half in [address.wrapping_sub(2), address, address.wrapping_add(2)] {
            if let Some(entry) = self.decoded.get_mut((half / 2) as usize) {
                *entry = None;
            }
        }
    }

    /// Goes to the handler of interrupt `number`, of `level`, as its vector says.
    pub fn interrupt(&mut self, number: u32, level: u8, memory: &mut impl Memory) -> Result<(), Trap> {
        let vector = memory.load(self.mtvt.wrapping_add(4 * (number % INTERRUPTS)), 4);
        self.enter(MCAUSE_INTERRUPT | u32::from(self.level) << MCAUSE_MPIL_SHIFT | number, 0);
        self.level = level;
        self.pc = vector.map_err(|_| Trap::FetchFault)? & !1;
        Ok(())
    }

    fn enter(&mut self, cause: u32, value: u32) {
        self.mepc = self.pc;
        let enabled = self.mstatus & MSTATUS_MIE != 0;
        self.mcause = cause | MCAUSE_MPP | if enabled { MCAUSE_MPIE } else { 0 };
        self.mtval = value;
        self.mstatus = MSTATUS_MPP | if enabled { MSTATUS_MPIE } else { 0 };
    }

    fn exception(&mut self, trap: Trap, value: u32) -> Step {
        self.enter(trap as u32, value);
        // In this interrupt mode the handler of exceptions is aligned to 64 bytes.
        self.pc = self.mtvec & !0x3f;
        Step::Trapped(trap)
    }

    fn decode(&mut self, memory: &impl Memory) -> Result<(Instruction, u32), Trap> {
        let slot = (self.pc / 2) as usize;
        if let Some(Some(known)) = self.decoded.get(slot) {
            return Ok(*known);
        }
        let low = memory.fetch(self.pc).ok_or(Trap::FetchFault)?;
        let high = memory.fetch(self.pc.wrapping_add(2)).unwrap_or(0);
        let found = decode(low, high).ok_or(Trap::Illegal)?;
        if let Some(entry) = self.decoded.get_mut(slot) {
            *entry = Some(found);
        }
        Ok(found)
    }

    /// Carries out one instruction; adds its clocks.
    pub fn step(&mut self, memory: &mut impl Memory, clocks: &mut u64) -> Step {
        *clocks += 1;
        let (instruction, bytes) = match self.decode(memory) {
            Ok(found) => found,
            Err(trap) => return self.exception(trap, self.pc),
        };
        let next = self.pc.wrapping_add(bytes);
        match self.execute(instruction, next, memory, clocks) {
            Ok(Done { pc, step }) => {
                self.pc = pc;
                step
            }
            Err((trap, value)) => self.exception(trap, value),
        }
    }

    fn get(&self, number: u8) -> u32 {
        self.registers[usize::from(number)]
    }

    fn set(&mut self, number: u8, value: u32) {
        if number != 0 {
            self.registers[usize::from(number)] = value;
        }
    }

    fn csr(&self, number: u32) -> Result<u32, (Trap, u32)> {
        Ok(match number {
            0x300 => self.mstatus,
            0x301 => MISA,
            0x305 => self.mtvec,
            CSR_MTVT => self.mtvt,
            0x340 => self.mscratch,
            0x341 => self.mepc,
            0x342 => self.mcause,
            0x343 => self.mtval,
            // Vendor, architecture, implementation, hart.
            0xf11..=0xf14 => 0,
            _ => return Err((Trap::Illegal, 0)),
        })
    }

    fn set_csr(&mut self, number: u32, value: u32) -> Result<(), (Trap, u32)> {
        match number {
            0x300 => self.mstatus = MSTATUS_MPP | value & (MSTATUS_MIE | MSTATUS_MPIE),
            0x305 => self.mtvec = value,
            CSR_MTVT => self.mtvt = value & !0x3f,
            0x340 => self.mscratch = value,
            0x341 => self.mepc = value & !1,
            0x342 => self.mcause = value,
            0x343 => self.mtval = value,
            0x301 => {}
            _ => return Err((Trap::Illegal, 0)),
        }
        Ok(())
    }

    fn change_csr(&mut self, op: CsrOp, rd: u8, csr: u32, operand: Operand) -> Result<(), (Trap, u32)> {
        let old = self.csr(csr)?;
        let (value, changes) = match operand {
            Operand::Register(number) => (self.get(number), number != 0),
            Operand::Immediate(imm) => (imm as u32, imm != 0),
        };
        match op {
            CsrOp::Write => self.set_csr(csr, value)?,
            CsrOp::Set if changes => self.set_csr(csr, old | value)?,
            CsrOp::Clear if changes => self.set_csr(csr, old & !value)?,
            _ => {}
        }
        self.set(rd, old);
        Ok(())
    }

    fn load(&mut self, memory: &mut impl Memory, address: u32, bytes: u32) -> Result<u32, (Trap, u32)> {
        memory.load(address, bytes).map_err(|refused| match refused {
            Refused::Nothing => (Trap::LoadFault, address),
            Refused::Misaligned => (Trap::LoadMisaligned, address),
        })
    }

    fn store(
        &mut self,
        memory: &mut impl Memory,
        address: u32,
        bytes: u32,
        value: u32,
        clocks: &mut u64,
    ) -> Result<(), (Trap, u32)> {
        *clocks += 1;
        self.forget(address);
        memory.store(address, bytes, value).map_err(|refused| match refused {
            Refused::Nothing => (Trap::StoreFault, address),
            Refused::Misaligned => (Trap::StoreMisaligned, address),
        })
    }

    fn execute(
        &mut self,
        instruction: Instruction,
        next: u32,
        memory: &mut impl Memory,
        clocks: &mut u64,
    ) -> Result<Done, (Trap, u32)> {
        let pc = self.pc;
        let mut done = Done { pc: next, step: Step::Executed };
        let at = |base: u32, offset: i32| base.wrapping_add_signed(offset);
        match instruction {
            Instruction::Lui { rd, imm } => self.set(rd, imm as u32),
            Instruction::Auipc { rd, imm } => self.set(rd, at(pc, imm)),
            Instruction::Jal { rd, offset } => {
                self.set(rd, next);
                done.branch(true, at(pc, offset), clocks);
            }
            Instruction::Jalr { rd, rs1, offset } => {
                let target = at(self.get(rs1), offset) & !1;
                self.set(rd, next);
                done.branch(true, target, clocks);
            }
            Instruction::Branch { condition, rs1, rs2, offset } => {
                let (a, b) = (self.get(rs1), self.get(rs2));
                done.branch(holds(condition, a, b), at(pc, offset), clocks);
            }
            Instruction::Load { bytes, signed, rd, rs1, offset } => {
                let value = self.load(memory, at(self.get(rs1), offset), bytes)?;
                let value = match (bytes, signed) {
                    (1, true) => value as u8 as i8 as u32,
                    (2, true) => value as u16 as i16 as u32,
                    _ => value,
                };
                self.set(rd, value);
            }
            Instruction::Store { bytes, rs1, rs2, offset } => {
                self.store(memory, at(self.get(rs1), offset), bytes, self.get(rs2), clocks)?;
            }
            Instruction::Alu { op, rd, rs1, operand } => {
                let b = match operand {
                    Operand::Register(number) => self.get(number),
                    Operand::Immediate(imm) => imm as u32,
                };
                self.set(rd, calculate(op, self.get(rs1), b));
                if matches!(op, Alu::Div | Alu::Divu | Alu::Rem | Alu::Remu) {
                    *clocks += DIVISION_CLOCKS - 1;
                }
            }
            Instruction::Csr { op, rd, csr, operand } => self.change_csr(op, rd, csr, operand)?,
            Instruction::Fence => self.decoded.fill(None),
            Instruction::Wfi => done.step = Step::Sleeps,
            Instruction::Mret => {
                let enabled = self.mstatus & MSTATUS_MPIE != 0;
                self.mstatus = MSTATUS_MPP | MSTATUS_MPIE | if enabled { MSTATUS_MIE } else { 0 };
                if self.mcause & MCAUSE_INTERRUPT != 0 {
                    self.level = (self.mcause >> MCAUSE_MPIL_SHIFT) as u8;
                }
                done.branch(true, self.mepc, clocks);
                done.step = Step::Returned;
            }
            Instruction::Ecall => return Err((Trap::Call, 0)),
            Instruction::Ebreak => return Err((Trap::Breakpoint, pc)),
        }
        Ok(done)
    }
}

fn holds(condition: Condition, a: u32, b: u32) -> bool {
    match condition {
        Condition::Equal => a == b,
        Condition::NotEqual => a != b,
        Condition::Less => (a as i32) < b as i32,
        Condition::NotLess => a as i32 >= b as i32,
        Condition::Below => a < b,
        Condition::NotBelow => a >= b,
    }
}

/// Divisions by 0 and overflows have results, no traps.
fn calculate(op: Alu, a: u32, b: u32) -> u32 {
    let (sa, sb) = (a as i32, b as i32);
    match op {
        Alu::Add => a.wrapping_add(b),
        Alu::Sub => a.wrapping_sub(b),
        Alu::Sll => a.wrapping_shl(b),
        Alu::Slt => u32::from(sa < sb),
        Alu::Sltu => u32::from(a < b),
        Alu::Xor => a ^ b,
        Alu::Srl => a.wrapping_shr(b),
        Alu::Sra => sa.wrapping_shr(b) as u32,
        Alu::Or => a | b,
        Alu::And => a & b,
        Alu::Mul => a.wrapping_mul(b),
        Alu::Mulh => ((i64::from(sa) * i64::from(sb)) >> 32) as u32,
        Alu::Mulhsu => ((i64::from(sa) * i64::from(b)) >> 32) as u32,
        Alu::Mulhu => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        Alu::Div if b == 0 => u32::MAX,
        Alu::Div => sa.wrapping_div(sb) as u32,
        Alu::Divu => a.checked_div(b).unwrap_or(u32::MAX),
        Alu::Rem if b == 0 => a,
        Alu::Rem => sa.wrapping_rem(sb) as u32,
        Alu::Remu => a.checked_rem(b).unwrap_or(a),
    }
}

/// After an instruction.
struct Done {
    pc: u32,
    step: Step,
}

impl Done {
    fn branch(&mut self, taken: bool, target: u32, clocks: &mut u64) {
        if taken {
            self.pc = target;
            *clocks += 1;
        }
    }
}
