// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vivado's utilisation and timing reports as figures. Text in; the formats are those of UG949 and of reports in public
//! repositories, from 2018.3 on.
//!
//! A verdict has three values: met, not met, and unknown. What a report does not say is never taken for success.

mod head;
mod lines;
mod pairs;
mod timing;
mod utilisation;

pub use head::{Head, ReportError, Stage};
pub use pairs::{Kind, Listed, Name, Paired, kind, paired};
pub use timing::{Check, Sentence, Timing, timing};
pub use utilisation::{Utilisation, utilisation};
