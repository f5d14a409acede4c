// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bundles that travel through the core: each once, for widths, signals, packed vectors and what the co-simulation decodes.

use kit::record;

record! {
    /// First cell in static order of a group.
    pub struct Winner {
        /// With beams: the gain of the one that follows it in its group; 0 if none does.
        next,
        /// Of the others in the set one makes a four.
        more_four,
        /// The set has others.
        more,
        /// It makes a four.
        four,
        /// Its rank.
        rank,
        /// Its gain.
        gain,
        /// There is one.
        found,
    }
}

record! {
    /// What accompanies a node through the evaluator.
    pub struct Tag {
        /// Moves from the root, the first lowest.
        path,
        /// How many.
        length,
        /// Sum of window scores, seen by the node's mover.
        potential,
        /// Extensions left.
        extensions,
        /// No level is left.
        depth_zero,
        /// The node is seen by its level's own mover: its value keeps its sign.
        negate,
        /// What the pass is for, a `PassKind`.
        kind,
        /// Of the context that asked.
        generation,
        /// Of the level that asked.
        level,
        /// The context that asked.
        context,
        /// The context that is reserved for the node below.
        child,
        /// {gain, rank} of the move, by which ties are broken; of passes for a reply and behind it the cell of the node's first move, and
        /// above that, with moves ahead, the reply's gain.
        order,
    }
}

record! {
    /// What the evaluator says of a node.
    pub struct Evaluated {
        /// Rule outcome.
        outcome,
        /// A cell was found in the set.
        found,
        /// It.
        cell,
        /// Its rank.
        rank,
        /// Its group.
        group,
        /// Its gain.
        gain,
        /// It makes a four.
        makes_four,
        /// The set holds others.
        more,
        /// One cell of the board is empty.
        one_empty,
        /// Losing by all its moves does not prove it lost: another one may save it.
        unproved,
        /// Value of the node as a leaf.
        leaf_value,
        /// Value of the node if it is not searched further.
        value,
        /// The value is a floor of the first move's.
        floor_holds,
    }
}

record! {
    /// A controller's return.
    pub struct Returned {
        /// Moves from the root to the node.
        path,
        /// How many.
        length,
        /// Extensions left.
        extensions,
        /// Its value.
        value,
        /// Exact, or a bound.
        bound,
    }
}

record! {
    /// A decision.
    pub struct Decision {
        /// The move.
        cell,
        /// Its score.
        score,
    }
}

record! {
    /// What is kept of a context's node.
    pub struct KeptNode {
        /// Moves from the root.
        path,
        /// How many.
        length,
        /// Sum of window scores, seen by the node's mover.
        potential,
        /// Extensions left.
        extensions,
        /// Its moves may not be dropped by the exact upper bound: one cell is empty, or the move is forced.
        unbounded,
        /// With ceilings: the cell of its first move.
        first,
    }
}

record! {
    /// What came out of a group last: a cell that is to come out next is later.
    pub struct Last {
        /// Its rank.
        rank,
        /// Its gain.
        gain,
        /// There is one.
        found,
    }
}
