// SPDX-License-Identifier: MIT OR Apache-2.0
//! The passes that the game controller asks for: their tags.

use crate::circuits::search::node_tag::{extended_bits, extended_part, extended_path};
use crate::layout::{Evaluated, Layout, PassKind, Tag};
use kit::{Module, Sig, cat};

/// The root's first move, as it is asked for.
#[derive(Clone, Copy)]
pub(super) struct First<'m> {
    pub tag: Sig<'m>,
    /// It may be: there is a context for it, or it needs none.
    pub may: Sig<'m>,
    /// It takes that context, where levels below have some.
    pub takes: Option<Sig<'m>>,
}

/// The context that the root's first move may take.
#[derive(Clone, Copy)]
pub(super) struct Child<'m> {
    /// There is one.
    pub any: Sig<'m>,
    pub context: Sig<'m>,
}

/// The first move of a search of `levels_now` levels from the root with its tag and its evaluation, and the `potential` after it; the
/// root's context has that `generation`. Below a level that is the only one there is no `child`.
pub(super) fn first_move<'m>(
    m: &'m Module,
    layout: &Layout,
    generation: Sig<'m>,
    child: Option<Child<'m>>,
    (root_tag, root, potential): (Sig<'m>, Evaluated<Sig<'m>>, Sig<'m>),
    levels_now: Sig<'m>,
) -> First<'m> {
    m.comment("The root's first move.");
    let tag = layout.tag.unpack(root_tag);
    let deeper = match layout.config.levels {
        1 => m.bit(false),
        _ => levels_now.is_not(1),
    };
    let first = Tag {
        path: extended_path(
            m,
            layout,
            m.wire("first_path", extended_part(layout, tag.path)),
            tag.length,
            root.cell,
        ),
        length: tag.length + 1,
        potential,
        depth_zero: !deeper,
        generation,
        level: m.constant(layout.level_bits, 1),
        context: m.constant(layout.context_bits, layout.context_base(1)),
        child: child.map_or(tag.child, |child| child.context.only_if(deeper)),
        order: cat([root.gain, root.rank]),
        ..tag
    };
    First {
        tag: m.wire("first_tag", first.pack()),
        may: child.map_or(m.bit(true), |child| !deeper | child.any),
        takes: child.map(|child| deeper & child.any),
    }
}

/// Tags of its other passes.
pub(super) struct Tags<'m> {
    pub probe: Sig<'m>,
    pub root: Sig<'m>,
    pub reply: Sig<'m>,
}

/// With the root's `potential`, the `generation` of the controller's passes, the root's best move and the potential `after` it.
pub(super) fn tags<'m>(
    m: &'m Module,
    layout: &Layout,
    potential: Sig<'m>,
    generation: Sig<'m>,
    cell: Sig<'m>,
    after: Sig<'m>,
) -> Tags<'m> {
    let kind = |kind: PassKind| layout.kind(m, kind);
    let extensions = layout.config.extensions;
    let root = Tag {
        potential,
        extensions: m.constant(layout.extension_bits, extensions),
        kind: kind(PassKind::Node),
        generation,
        // The root's own context, where its moves are kept.
        child: m.constant(layout.context_bits, layout.context_base(1)),
        ..layout.tag.map(|_, width| m.zero(width))
    };
    let probe = m.wire("probe_tag", Tag { kind: kind(PassKind::Probe), ..root }.pack());
    let root_tag = m.wire("root_tag", root.pack());
    let reply = match extensions {
        0 => root_tag,
        _ => {
            let path = extended_path(
                m,
                layout,
                m.wire("root_path", m.zero(extended_bits(layout))),
                root.length,
                cell,
            );
            let reply = Tag {
                path,
                length: m.constant(layout.length_bits, 1),
                potential: after,
                extensions: m.constant(layout.extension_bits, extensions - 1),
                negate: m.bit(true),
                ..root
            };
            m.wire("reply_tag", reply.pack())
        }
    };
    Tags { probe, root: root_tag, reply }
}
