// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proves that two emissions are the same circuits: `equal OLD.v NEW.v [PART-OF-A-MODULE'S-NAME...]`. `hdl/equal COMMIT` makes both.

use rtl_tests::equal::{Verdict, compare};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [old, new, only @ ..] = &arguments[..] else {
        eprintln!("usage: equal OLD.v NEW.v [PART-OF-A-MODULE'S-NAME...]");
        return ExitCode::from(2);
    };
    let texts = [old, new].map(std::fs::read_to_string);
    let folder = std::env::temp_dir().join(format!("tengen-equal-{}", std::process::id()));
    let verdicts = match texts {
        [Ok(old), Ok(new)] => compare(&old, &new, only, &folder).map_err(|error| error.to_string()),
        [Err(error), _] | [_, Err(error)] => Err(error.to_string()),
    };
    let _ = std::fs::remove_dir_all(&folder);
    let verdicts = match verdicts {
        Ok(verdicts) => verdicts,
        Err(error) => {
            eprintln!("equal: {error}");
            return ExitCode::from(2);
        }
    };
    let mut unproved = 0;
    for (module, verdict) in &verdicts {
        unproved += usize::from(matches!(verdict, Verdict::Unproved(_)));
        println!("{module}: {verdict:?}");
    }
    println!("{} modules, {unproved} not proved", verdicts.len());
    ExitCode::from(u8::from(unproved > 0))
}
