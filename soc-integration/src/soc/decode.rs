// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions of RV32EMC with Zicsr, decoded by the crate raki; compressed ones as the full ones they stand for.
//! `tests/decoder.rs` compares it with binutils on every compressed and many full codes.

use raki::{
    BaseIOpcode, COpcode, Decode, Instruction as Raw, Isa, MOpcode, OpcodeKind, PrivOpcode, ZicsrOpcode,
};

/// Registers of RV32E.
pub const REGISTERS: u8 = 16;

/// Arithmetic between two numbers.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alu {
    Add,
    Sub,
    Sll,
    Slt,
    Sltu,
    Xor,
    Srl,
    Sra,
    Or,
    And,
    Mul,
    Mulh,
    Mulhsu,
    Mulhu,
    Div,
    Divu,
    Rem,
    Remu,
}

/// When a branch is taken.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    Equal,
    NotEqual,
    Less,
    NotLess,
    Below,
    NotBelow,
}

/// What becomes of a CSR.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsrOp {
    Write,
    Set,
    Clear,
}

/// A register's or an immediate number.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Register(u8),
    Immediate(i32),
}

/// An instruction. Registers are below [`REGISTERS`]; immediates are ready for use.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    Lui { rd: u8, imm: i32 },
    Auipc { rd: u8, imm: i32 },
    Jal { rd: u8, offset: i32 },
    Jalr { rd: u8, rs1: u8, offset: i32 },
    Branch { condition: Condition, rs1: u8, rs2: u8, offset: i32 },
    Load { bytes: u32, signed: bool, rd: u8, rs1: u8, offset: i32 },
    Store { bytes: u32, rs1: u8, rs2: u8, offset: i32 },
    Alu { op: Alu, rd: u8, rs1: u8, operand: Operand },
    Csr { op: CsrOp, rd: u8, csr: u32, operand: Operand },
    Fence,
    Wfi,
    Mret,
    Ecall,
    Ebreak,
}

/// The instruction that begins with these half words, and its bytes; none if there is no such instruction in RV32EMC.
pub fn decode(low: u16, high: u16) -> Option<(Instruction, u32)> {
    if low & 3 == 3 {
        let code = u32::from(high) << 16 | u32::from(low);
        let raw = code.decode(Isa::Rv32).ok()?;
        return Some((full(&raw, code)?, 4));
    }
    let raw = low.decode(Isa::Rv32).ok()?;
    Some((compressed(&raw, low)?, 2))
}

/// A register that RV32E has.
fn register(number: Option<usize>) -> Option<u8> {
    u8::try_from(number?).ok().filter(|number| *number < REGISTERS)
}

fn full(raw: &Raw, code: u32) -> Option<Instruction> {
    match &raw.opc {
        OpcodeKind::BaseI(op) => base(op, raw, code),
        OpcodeKind::M(op) => {
            let op = match op {
                MOpcode::MUL => Alu::Mul,
                MOpcode::MULH => Alu::Mulh,
                MOpcode::MULHSU => Alu::Mulhsu,
                MOpcode::MULHU => Alu::Mulhu,
                MOpcode::DIV => Alu::Div,
                MOpcode::DIVU => Alu::Divu,
                MOpcode::REM => Alu::Rem,
                MOpcode::REMU => Alu::Remu,
                _ => return None,
            };
            alu(op, raw)
        }
        OpcodeKind::Zicsr(op) => {
            let operand = match op {
                ZicsrOpcode::CSRRW | ZicsrOpcode::CSRRS | ZicsrOpcode::CSRRC => {
                    Operand::Register(register(raw.rs1)?)
                }
                _ => Operand::Immediate(raw.imm?),
            };
            let op = match op {
                ZicsrOpcode::CSRRW | ZicsrOpcode::CSRRWI => CsrOp::Write,
                ZicsrOpcode::CSRRS | ZicsrOpcode::CSRRSI => CsrOp::Set,
                ZicsrOpcode::CSRRC | ZicsrOpcode::CSRRCI => CsrOp::Clear,
            };
            Some(Instruction::Csr { op, rd: register(raw.rd)?, csr: code >> 20, operand })
        }
        // Reads of counters are reads of CSRs.
        OpcodeKind::Zicntr(_) => {
            let rs1 = register(Some((code >> 15 & 31) as usize))?;
            let rd = register(Some((code >> 7 & 31) as usize))?;
            Some(Instruction::Csr { op: CsrOp::Set, rd, csr: code >> 20, operand: Operand::Register(rs1) })
        }
        // FENCE and FENCE.I: nothing is out of order here.
        OpcodeKind::Zifencei(_) => Some(Instruction::Fence),
        OpcodeKind::Priv(PrivOpcode::MRET) => Some(Instruction::Mret),
        OpcodeKind::Priv(PrivOpcode::WFI) => Some(Instruction::Wfi),
        _ => None,
    }
}

fn alu(op: Alu, raw: &Raw) -> Option<Instruction> {
    let operand = match raw.rs2 {
        Some(_) => Operand::Register(register(raw.rs2)?),
        None => Operand::Immediate(raw.imm?),
    };
    Some(Instruction::Alu { op, rd: register(raw.rd)?, rs1: register(raw.rs1)?, operand })
}

fn base(op: &BaseIOpcode, raw: &Raw, code: u32) -> Option<Instruction> {
    use BaseIOpcode as B;
    let branch = |condition| {
        let (rs1, rs2) = (register(raw.rs1)?, register(raw.rs2)?);
        Some(Instruction::Branch { condition, rs1, rs2, offset: raw.imm? })
    };
    let load = |bytes, signed| {
        let (rd, rs1) = (register(raw.rd)?, register(raw.rs1)?);
        Some(Instruction::Load { bytes, signed, rd, rs1, offset: raw.imm? })
    };
    let store = |bytes| {
        let (rs1, rs2) = (register(raw.rs1)?, register(raw.rs2)?);
        Some(Instruction::Store { bytes, rs1, rs2, offset: raw.imm? })
    };
    match op {
        // raki gives the upper 20 bits of the full instructions by themselves.
        B::LUI => Some(Instruction::Lui { rd: register(raw.rd)?, imm: raw.imm? << 12 }),
        B::AUIPC => Some(Instruction::Auipc { rd: register(raw.rd)?, imm: raw.imm? << 12 }),
        B::JAL => Some(Instruction::Jal { rd: register(raw.rd)?, offset: raw.imm? }),
        // raki does not look at the bits that must be 0.
        B::JALR if code >> 12 & 7 != 0 => None,
        B::SLL | B::SLT | B::SLTU | B::XOR | B::OR | B::AND if code >> 25 != 0 => None,
        B::JALR => {
            Some(Instruction::Jalr { rd: register(raw.rd)?, rs1: register(raw.rs1)?, offset: raw.imm? })
        }
        B::BEQ => branch(Condition::Equal),
        B::BNE => branch(Condition::NotEqual),
        B::BLT => branch(Condition::Less),
        B::BGE => branch(Condition::NotLess),
        B::BLTU => branch(Condition::Below),
        B::BGEU => branch(Condition::NotBelow),
        B::LB => load(1, true),
        B::LH => load(2, true),
        B::LW => load(4, true),
        B::LBU => load(1, false),
        B::LHU => load(2, false),
        B::SB => store(1),
        B::SH => store(2),
        B::SW => store(4),
        B::ADDI | B::ADD => alu(Alu::Add, raw),
        B::SUB => alu(Alu::Sub, raw),
        B::SLTI | B::SLT => alu(Alu::Slt, raw),
        B::SLTIU | B::SLTU => alu(Alu::Sltu, raw),
        B::XORI | B::XOR => alu(Alu::Xor, raw),
        B::ORI | B::OR => alu(Alu::Or, raw),
        B::ANDI | B::AND => alu(Alu::And, raw),
        // A shift of 32 and more does not exist in 32 bits.
        B::SLLI | B::SRLI | B::SRAI if code >> 25 & 1 != 0 => None,
        B::SLLI | B::SLL => alu(Alu::Sll, raw),
        B::SRLI | B::SRL => alu(Alu::Srl, raw),
        B::SRAI | B::SRA => alu(Alu::Sra, raw),
        B::ECALL => Some(Instruction::Ecall),
        B::EBREAK => Some(Instruction::Ebreak),
        _ => None,
    }
}

/// Stack pointer and return address of the compressed instructions that do not name them.
const SP: u8 = 2;
const RA: u8 = 1;

fn compressed(raw: &Raw, code: u16) -> Option<Instruction> {
    let op = match &raw.opc {
        OpcodeKind::C(op) => op,
        _ => return None,
    };
    let imm = raw.imm.unwrap_or(0);
    let rd = || register(raw.rd);
    let rs1 = || register(raw.rs1);
    let rs2 = || register(raw.rs2);
    let with_imm =
        |op, rd, rs1, imm| Some(Instruction::Alu { op, rd, rs1, operand: Operand::Immediate(imm) });
    let with_register = |op| {
        let rd = rd()?;
        Some(Instruction::Alu { op, rd, rs1: rd, operand: Operand::Register(rs2()?) })
    };
    let shift = |op| (code >> 12 & 1 == 0).then_some(()).and_then(|()| with_imm(op, rd()?, rd()?, imm));
    let branch = |condition| Some(Instruction::Branch { condition, rs1: rs1()?, rs2: 0, offset: imm });
    match op {
        // No increment is reserved.
        COpcode::ADDI4SPN if imm == 0 => None,
        COpcode::ADDI4SPN => with_imm(Alu::Add, rd()?, SP, imm),
        COpcode::LW => {
            Some(Instruction::Load { bytes: 4, signed: true, rd: rd()?, rs1: rs1()?, offset: imm })
        }
        COpcode::SW => Some(Instruction::Store { bytes: 4, rs1: rs1()?, rs2: rs2()?, offset: imm }),
        COpcode::NOP => with_imm(Alu::Add, 0, 0, imm),
        COpcode::ADDI => with_imm(Alu::Add, rd()?, rd()?, imm),
        COpcode::JAL => Some(Instruction::Jal { rd: RA, offset: imm }),
        COpcode::LI => with_imm(Alu::Add, rd()?, 0, imm),
        COpcode::ADDI16SP | COpcode::LUI if imm == 0 => None,
        COpcode::ADDI16SP => with_imm(Alu::Add, SP, SP, imm),
        COpcode::LUI => Some(Instruction::Lui { rd: rd()?, imm }),
        COpcode::SRLI => shift(Alu::Srl),
        COpcode::SRAI => shift(Alu::Sra),
        COpcode::SLLI => shift(Alu::Sll),
        COpcode::ANDI => with_imm(Alu::And, rd()?, rd()?, imm),
        COpcode::SUB => with_register(Alu::Sub),
        COpcode::XOR => with_register(Alu::Xor),
        COpcode::OR => with_register(Alu::Or),
        COpcode::AND => with_register(Alu::And),
        COpcode::ADD => with_register(Alu::Add),
        COpcode::MV => {
            Some(Instruction::Alu { op: Alu::Add, rd: rd()?, rs1: 0, operand: Operand::Register(rs2()?) })
        }
        COpcode::J => Some(Instruction::Jal { rd: 0, offset: imm }),
        COpcode::BEQZ => branch(Condition::Equal),
        COpcode::BNEZ => branch(Condition::NotEqual),
        // x0 has no stack to load from, nor is it an address to go to.
        COpcode::LWSP | COpcode::JR | COpcode::JALR if code >> 7 & 31 == 0 => None,
        COpcode::LWSP => Some(Instruction::Load { bytes: 4, signed: true, rd: rd()?, rs1: SP, offset: imm }),
        COpcode::SWSP => Some(Instruction::Store { bytes: 4, rs1: SP, rs2: rs2()?, offset: imm }),
        COpcode::JR => Some(Instruction::Jalr { rd: 0, rs1: rs1()?, offset: 0 }),
        COpcode::JALR => Some(Instruction::Jalr { rd: RA, rs1: rs1()?, offset: 0 }),
        COpcode::EBREAK if code >> 2 & 31 == 0 => Some(Instruction::Ebreak),
        // raki's name for an addition to x0 as well, which does nothing.
        COpcode::EBREAK => with_imm(Alu::Add, 0, 0, 0),
        _ => None,
    }
}
