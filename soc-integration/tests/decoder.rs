// SPDX-License-Identifier: MIT OR Apache-2.0
//! The virtual board's decoder against binutils: every compressed code, and full codes at random within each opcode.
#![allow(missing_docs)]

use soc_integration::firmware::TOOLS;
use soc_integration::soc::decode::{Alu, Condition, CsrOp, Instruction, Operand, decode};
use std::process::Command;

/// What objdump says of each code, in order: mnemonic and operands without blanks.
fn disassembled(name: &str, bytes: &[u8]) -> Vec<(u64, String)> {
    let file = std::env::temp_dir().join(format!("tengen-{name}-{}.bin", std::process::id()));
    std::fs::write(&file, bytes).unwrap();
    let output = Command::new(format!("{TOOLS}objdump"))
        .args(["-D", "-b", "binary", "-m", "riscv:rv32", "-M", "no-aliases,numeric", "-z"])
        .arg(&file)
        .output()
        .expect("binutils of gcc-riscv64-unknown-elf");
    std::fs::remove_file(&file).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter_map(|line| {
        let mut columns = line.split('\t');
        let address = u64::from_str_radix(columns.next()?.trim().strip_suffix(':')?, 16).ok()?;
        let _code = columns.next()?;
        let mnemonic = columns.next()?;
        let operands = columns.next().unwrap_or("").split([' ', '#', '<']).next()?;
        Some((address, format!("{mnemonic} {operands}")))
    });
    lines.collect()
}

/// The instruction as objdump writes the full one; targets of jumps are addresses.
fn written(instruction: Instruction, at: i64) -> String {
    let alu = |op: Alu| format!("{op:?}").to_lowercase();
    match instruction {
        Instruction::Lui { rd, imm } => format!("lui x{rd},0x{:x}", imm as u32 >> 12),
        Instruction::Auipc { rd, imm } => format!("auipc x{rd},0x{:x}", imm as u32 >> 12),
        Instruction::Jal { rd, offset } => format!("jal x{rd},0x{:x}", (at + i64::from(offset)) as u32),
        Instruction::Jalr { rd, rs1, offset } => format!("jalr x{rd},{offset}(x{rs1})"),
        Instruction::Branch { condition, rs1, rs2, offset } => {
            let name = match condition {
                Condition::Equal => "beq",
                Condition::NotEqual => "bne",
                Condition::Less => "blt",
                Condition::NotLess => "bge",
                Condition::Below => "bltu",
                Condition::NotBelow => "bgeu",
            };
            format!("{name} x{rs1},x{rs2},0x{:x}", (at + i64::from(offset)) as u32)
        }
        Instruction::Load { bytes, signed, rd, rs1, offset } => {
            let name = ["lb", "lh", "lw"][bytes.ilog2() as usize];
            format!("{name}{} x{rd},{offset}(x{rs1})", if signed { "" } else { "u" })
        }
        Instruction::Store { bytes, rs1, rs2, offset } => {
            format!("{} x{rs2},{offset}(x{rs1})", ["sb", "sh", "sw"][bytes.ilog2() as usize])
        }
        Instruction::Alu { op, rd, rs1, operand: Operand::Register(rs2) } => {
            format!("{} x{rd},x{rs1},x{rs2}", alu(op))
        }
        Instruction::Alu { op, rd, rs1, operand: Operand::Immediate(imm) } => {
            let name = if op == Alu::Sltu { "sltiu".into() } else { alu(op) + "i" };
            let shift = matches!(op, Alu::Sll | Alu::Srl | Alu::Sra);
            let imm = if shift { format!("0x{imm:x}") } else { imm.to_string() };
            format!("{name} x{rd},x{rs1},{imm}")
        }
        Instruction::Csr { op, rd, csr, operand } => {
            let name = match op {
                CsrOp::Write => "csrrw",
                CsrOp::Set => "csrrs",
                CsrOp::Clear => "csrrc",
            };
            match operand {
                Operand::Register(rs1) => format!("{name} x{rd},0x{csr:x},x{rs1}"),
                Operand::Immediate(imm) => format!("{name}i x{rd},0x{csr:x},{imm}"),
            }
        }
        Instruction::Fence => "fence".into(),
        Instruction::Wfi => "wfi ".into(),
        Instruction::Mret => "mret ".into(),
        Instruction::Ecall => "ecall ".into(),
        Instruction::Ebreak => "ebreak ".into(),
    }
}

/// objdump's compressed instruction as the full one that it stands for.
fn expanded(text: &str) -> String {
    let Some(rest) = text.strip_prefix("c.") else {
        return text.to_string();
    };
    let (name, operands) = rest.split_once(' ').unwrap();
    let parts: Vec<&str> = operands.split(',').collect();
    match (name, parts.as_slice()) {
        ("nop", [] | [""]) => "addi x0,x0,0".into(),
        ("nop", [imm]) => format!("addi x0,x0,{imm}"),
        ("addi4spn", [rd, sp, imm]) => format!("addi {rd},{sp},{imm}"),
        // Reserved.
        ("addi16sp", [_, "0"]) => rest.to_string(),
        ("addi16sp", [sp, imm]) => format!("addi {sp},{sp},{imm}"),
        ("li", [rd, imm]) => format!("addi {rd},x0,{imm}"),
        ("mv", [rd, rs]) => format!("add {rd},x0,{rs}"),
        ("lwsp", _) => format!("lw {operands}"),
        ("swsp", _) => format!("sw {operands}"),
        ("lw" | "sw" | "lui", _) => format!("{name} {operands}"),
        ("j", [to]) => format!("jal x0,{to}"),
        ("jal", [to]) => format!("jal x1,{to}"),
        ("jr", [rs]) => format!("jalr x0,0({rs})"),
        ("jalr", [rs]) => format!("jalr x1,0({rs})"),
        ("beqz", [rs, to]) => format!("beq {rs},x0,{to}"),
        ("bnez", [rs, to]) => format!("bne {rs},x0,{to}"),
        ("ebreak", _) => "ebreak ".into(),
        // Hints, which do nothing: additions to x0, shifts by 0.
        ("add", ["x0", _]) => "addi x0,x0,0".into(),
        ("slli64" | "srli64" | "srai64", [rd]) => format!("{} {rd},{rd},0x0", &name[..4]),
        (_, [rd, operand]) => format!("{name} {rd},{rd},{operand}"),
        _ => rest.to_string(),
    }
}

/// Whether an instruction is none of RV32EMC with Zicsr in machine mode.
fn foreign(text: &str) -> bool {
    let name = text.split(' ').next().unwrap();
    let registers =
        text.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|word| word.strip_prefix('x'));
    let high = registers.filter_map(|number| number.parse::<u32>().ok()).any(|number| number > 15);
    let known = [
        "lui", "auipc", "jal", "jalr", "beq", "bne", "blt", "bge", "bltu", "bgeu", "lb", "lh", "lw", "lbu",
        "lhu", "sb", "sh", "sw", "addi", "slti", "sltiu", "xori", "ori", "andi", "slli", "srli", "srai",
        "add", "sub", "sll", "slt", "sltu", "xor", "srl", "sra", "or", "and", "mul", "mulh", "mulhsu",
        "mulhu", "div", "divu", "rem", "remu", "csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci",
        "wfi", "mret", "ecall", "ebreak",
    ];
    // binutils disassembles shifts of 64-bit registers too.
    let shift = text.rsplit_once(",0x").filter(|_| matches!(name, "slli" | "srli" | "srai"));
    let far =
        shift.is_some_and(|(_, amount)| u32::from_str_radix(amount, 16).is_ok_and(|amount| amount > 31));
    high || far || !known.contains(&name)
}

fn compare(at: u64, low: u16, high: u16, told: &str) -> Result<(), String> {
    let wanted = expanded(told);
    let found = decode(low, high).map(|(instruction, _)| written(instruction, at as i64));
    let found = found.unwrap_or_else(|| "unknown ".into());
    if wanted.starts_with("fence") {
        return if found == "fence" { Ok(()) } else { Err(format!("{told}: {found}")) };
    }
    let wanted = if foreign(&wanted) { "unknown ".to_string() } else { wanted };
    // CSRs have names there.
    let same = if wanted.starts_with("csr") {
        let parts = |text: &str| -> Vec<String> { text.split([' ', ',']).map(String::from).collect() };
        let (w, f) = (parts(&wanted), parts(&found));
        w.len() == f.len() && w[0] == f[0] && w[1] == f[1] && w.last() == f.last()
    } else {
        wanted == found
    };
    if same { Ok(()) } else { Err(format!("0x{high:04x}{low:04x} {told}: wanted {wanted}, found {found}")) }
}

#[test]
fn every_compressed_code_is_what_binutils_says() {
    let codes: Vec<u16> = (0..=u16::MAX).filter(|code| code & 3 != 3).collect();
    let bytes: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
    let told = disassembled("compressed", &bytes);
    assert_eq!(told.len(), codes.len());
    let wrong: Vec<String> =
        told.iter().zip(&codes).filter_map(|((at, text), code)| compare(*at, *code, 0, text).err()).collect();
    assert!(wrong.is_empty(), "{} codes, first {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
}

#[test]
fn full_codes_are_what_binutils_says() {
    // A generator of its own: the codes are the same on every run.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u32
    };
    let opcodes = [0x37, 0x17, 0x6f, 0x67, 0x63, 0x03, 0x23, 0x13, 0x33, 0x73];
    let mut codes = vec![0x3020_0073, 0x1050_0073, 0x0000_0073, 0x0010_0073, 0x0ff0_000f];
    for opcode in opcodes {
        for _ in 0..4000 {
            // Registers below 16 more often than not, functions among the known ones.
            let mut code = random() & !0x7f | opcode;
            if random() % 4 != 0 {
                code &= !(1 << 11 | 1 << 19);
                if matches!(opcode, 0x33 | 0x63 | 0x23) {
                    code &= !(1 << 24);
                }
            }
            if opcode == 0x33 || opcode == 0x13 && code >> 12 & 3 == 1 {
                code = code & 0x01ff_ffff | [0, 0x4000_0000, 0x0200_0000][random() as usize % 3];
            }
            codes.push(code);
        }
    }
    let bytes: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
    let told = disassembled("full", &bytes);
    assert_eq!(told.len(), codes.len());
    let wrong: Vec<String> = told
        .iter()
        .zip(&codes)
        .filter_map(|((at, text), code)| compare(*at, *code as u16, (*code >> 16) as u16, text).err())
        .collect();
    assert!(wrong.is_empty(), "{} codes, first {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
}
