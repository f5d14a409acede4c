// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all connections share.

use crate::backends::Backends;
use crate::kept::Folder;
use crate::waveforms::Waveforms;
use crate::work::Pool;
use std::net::SocketAddr;
use std::sync::atomic::AtomicUsize;
use tokio::sync::{broadcast, watch};

/// What all connections share.
pub struct State {
    pub(crate) backends: Box<dyn Backends>,
    pub(crate) pool: Pool,
    pub(crate) waveforms: Waveforms,
    pub(crate) games: Option<Folder>,
    pub(crate) notices: broadcast::Sender<String>,
    pub(crate) closing: watch::Receiver<bool>,
    pub(crate) tabs: AtomicUsize,
    pub(crate) address: SocketAddr,
    /// Names of a proxy in front, in small letters.
    pub(crate) hosts: Vec<String>,
}
