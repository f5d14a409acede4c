// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts that nobody reads: what a tree gathers besides what it was asked for.

use super::net::{Id, Item, Net};
use super::print::roots;
use std::collections::BTreeSet;

/// Takes those of `parts`, wires named by a hint only, out of a body that nothing in it leads to.
pub(super) fn drop_unread(net: &mut Net, parts: &BTreeSet<Id>) {
    let is_part = |item: &Item| matches!(item, Item::Wire(id) if parts.contains(id));
    let mut open: Vec<Id> = net.outputs.iter().map(|(_, id)| *id).collect();
    open.extend(net.items.iter().filter(|item| !is_part(item)).flat_map(|item| roots(net, item)));
    let mut read = BTreeSet::new();
    while let Some(id) = open.pop() {
        if read.insert(id) {
            open.extend(&net.node(id).args);
        }
    }
    net.items.retain(|item| !matches!(item, Item::Wire(id) if parts.contains(id) && !read.contains(id)));
}
