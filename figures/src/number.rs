// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers as people read them.

/// A share in per cent.
pub fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// A count with its thousands apart.
pub fn count(figure: f64) -> String {
    let digits = format!("{figure:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time with three digits and a unit.
pub fn time(seconds: f64) -> String {
    let (figure, unit) = match seconds {
        s if s < 1e-3 => (s * 1e6, "us"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", three_digits(figure))
}

/// A figure with three digits or, from 1,000 on, all of them.
pub fn three_digits(figure: f64) -> String {
    match figure {
        f if f < 10.0 => format!("{f:.2}"),
        f if f < 100.0 => format!("{f:.1}"),
        f => count(f),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_as_text() {
        assert_eq!([0.0, 999.0, 1234.4, 1234567.0].map(count), ["0", "999", "1,234", "1,234,567"]);
        assert_eq!([20e-6, 1.5e-3, 0.25, 12.0].map(time), ["20.0 us", "1.50 ms", "250 ms", "12.0 s"]);
        assert_eq!(percent(0.4567), "45.7");
    }
}
