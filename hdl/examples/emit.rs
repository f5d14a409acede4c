// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints the emitted engine of a configuration's file: `cargo run -p hdl --example emit -- configs/gomoku7.toml`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("the file of a configuration is missing")?;
    let config = engine_model::Config::from_toml(&std::fs::read_to_string(file)?)?;
    print!("{}", hdl::emit_engine(&config).verilog);
    Ok(())
}
