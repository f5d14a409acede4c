// SPDX-License-Identifier: MIT OR Apache-2.0
//! One level of the search: the contexts of its nodes, what each may ask for next, and their returns.

use super::late_choice::late_choice;
use super::level_free::{FREE_CHOICES, free_bits, free_contexts};
use super::level_offers::{offer_bits, offers, readiness, waiting_trace, waits};
use super::level_rows::rows as row_registers;
use super::level_windows::{bounds, windows};
use super::value_above::value_above;
use super::words::{BoundCode, LEFT_BITS, Level, PENDING_BITS, RETURNED_BITS, waiting_bits};
use crate::kit::{Body, Circuit, constant, one_hot, range};
use crate::layout::{GENERATION_BITS, Layout};

/// Controls the nodes at one level, one context each. A node's first child is searched alone; then as many further
/// children are in flight as have returned (due), and any number when nothing else can be issued (it runs ahead); the
/// root opens up at once after its first child. A context is reserved for a child when it is issued, starts when the
/// child's evaluation says that it is searched further, and is freed when it returns; children of a context that is
/// freed are killed one level a clock, and what of theirs is still in the evaluator carries an older generation.
///
/// A window is kept as alpha and limit = beta - 1: seen from the other side they are ~limit and ~alpha. It follows
/// the ancestors' by visits and, while there are none, for every context below one that `changed`. A value above the
/// limit cuts.
///
/// Ports: `aclk`, `aresetn`; `leaf_children`; with a beam constant `beam`; `searching`; `clear` frees everything.
/// `reserve_first`, `reserve_second` take the contexts `first_free`, `second_free` for a child of `..._parent`:
/// `free_any` says that there is one, `free_both` that they are two. `release_a`, `release_b` give one back. `start`
/// of `start_row` with its sign (`start_negate`), `start_issued` (its first child is on its way), `start_more` (its
/// set holds others); the window comes from the parent's, `above_alpha`, `above_limit`. `update` of the context whose
/// bit is set in `update_at`: a child's value, or with `update_keep` low its complement, which is one less than what
/// it is for the parent's mover (`update_order`: the root move); never with `start`. `ordered`: the pass for order
/// came back. `offer`: what may be issued next, with row, `offer_due`, `offer_order` (a pass for order, else a
/// child), `offer_needs` (a context below); `take` issues it, a visit of it begins; `child_any` says a child's context
/// may be had. A clock after `take`: `visit_active` (it has not been freed), `visit_parent`, `visit_generation`, `visit_fours` (`visit_order`),
/// with the parent's window (`above_alpha`, `above_limit`, if `above_valid`) it is brought up to date; two after:
/// `now_alpha`, `now_closed` (the window is empty). `drained`: the visit of `drained_row` did or did not issue,
/// whether moves are left, whether another pass for order is needed, only for fours. Reads in the same clock:
/// `window_row` (window for a child, of the root move `window_order`), `generation` of `generation_row` with
/// `generation_stays` (it is active and not killed in this clock) and `generation_leaves` (it returns),
/// `start_generation` of `child_row`, `drained_active`, `issue_alive`: `issue_row` is active in `issue_generation`.
/// `done` with row, value for its own mover, `done_keep` (it keeps its sign above), bound, parent (a bit each), until
/// `done_ready`; `done_new` in its first clock. `killed` contexts of the level above, `kill` this level's.
/// With floors, but for the first and the last level: `floor_above` tells whether a child may still be worth more than
/// alpha of the context whose bit is set in `floor_at`, from the complement of the child's floor, `floor_turned`.
/// `waits_order`, `waits_first`, `waits_context`: why nothing is issued. One update and one return a clock; reset and
/// `clear` free every context.
pub fn level_controller(layout: &Layout, level: usize) -> Circuit {
    let of = Level::new(layout, level);
    let mut circuit = Circuit::new(
        &of.kind(),
        &format!(
            "One level of the search with {} contexts: windows, cutoffs, what is issued next, returns.\n\
             One update and one return a clock; reset and clear free every context.",
            of.rows
        ),
    );
    ports(&mut circuit, &of);
    for bound in bounds(&of) {
        circuit
            .child(&format!("exceeds_{bound}"), value_above(layout, of.rows, bound == &"alpha" && !of.root));
    }
    circuit.child("next_offer", late_choice(offer_bits(&of)));
    if of.floors() {
        circuit.child("exceeds_floor", value_above(layout, of.rows, false));
    }
    if !of.root {
        for name in FREE_CHOICES {
            circuit.child(name, late_choice(free_bits(&of)));
        }
    }
    let mut body = Body::new();
    declare(&mut body, &of);
    readiness(&mut body, &of);
    offers(&mut body, &of);
    free_contexts(&mut body, &of);
    windows(&mut body, &of);
    returns(&mut body, &of);
    reads(&mut body, &of);
    row_registers(&mut body, &of);
    waits(&mut body, &of);
    if of.layout.config.trace {
        circuit.output("trace_waiting", waiting_bits(of.layout, level));
        waiting_trace(&mut body, &of);
    }
    held(&mut body, &of);
    circuit.set_body(body.finish());
    circuit
}

fn ports(circuit: &mut Circuit, of: &Level) {
    let (bits, index, order_bits) = (of.layout.value_bits, of.index, of.order_bits());
    circuit.clocked(true);
    circuit.inputs(&[
        ("leaf_children", 1),
        ("clear", 1),
        ("start", 1),
        ("start_row", index),
        ("start_negate", 1),
        ("start_issued", 1),
        ("start_more", 1),
        ("update", 1),
        ("update_at", of.rows),
        ("update_turned", bits),
        ("update_keep", 1),
        ("ordered", 1),
        ("ordered_row", index),
        ("ordered_found", 1),
        ("child_any", 1),
        ("take", 1),
        ("drained", 1),
        ("drained_row", index),
        ("drained_issue", 1),
        ("drained_closed", 1),
        ("drained_need", 1),
        ("issue_row", index),
        ("issue_generation", GENERATION_BITS),
        ("generation_row", index),
        ("child_row", index),
        ("done_ready", 1),
    ]);
    circuit.outputs(&[
        ("offer", 1),
        ("offer_due", 1),
        ("offer_row", index),
        ("offer_order", 1),
        ("now_alpha", bits),
        ("now_closed", 1),
        ("visit_active", 1),
        ("visit_fours", 1),
        ("visit_generation", GENERATION_BITS),
        ("generation", GENERATION_BITS),
        ("start_generation", GENERATION_BITS),
        ("generation_stays", 1),
        ("generation_leaves", 1),
        ("issue_alive", 1),
        ("done", 1),
        ("done_new", 1),
        ("done_row", index),
        ("done_value", bits),
        ("done_keep", 1),
        ("done_bound", 2),
        ("kill", of.rows),
        ("waits_order", 1),
        ("waits_first", 1),
        ("waits_context", 1),
        ("held", 1),
    ]);
    if of.floors() {
        circuit.inputs(&[("floor_at", of.rows), ("floor_turned", bits)]);
        circuit.output("floor_above", 1);
    }
    if of.beamed {
        circuit.inputs(&[("beam", of.layout.count_bits), ("ordered_more", 1)]);
    } else {
        circuit.inputs(&[("drained_left", 1), ("drained_fours", 1), ("drained_count", LEFT_BITS)]);
    }
    if !of.last {
        circuit.input("window_row", index);
        circuit.outputs(&[
            ("window_alpha", bits),
            ("window_limit", bits),
            ("changed", 1),
            ("changed_row", index),
            ("drained_active", 1),
            ("offer_needs", 1),
        ]);
    }
    if of.root {
        circuit.input("update_order", order_bits);
        circuit.output("done_order", order_bits);
        if !of.last {
            circuit.input("window_order", order_bits);
        }
        return;
    }
    circuit.inputs(&[
        ("searching", 1),
        ("killed", of.above),
        ("reserve_first", 1),
        ("reserve_first_parent", of.above_bits),
        ("reserve_second", 1),
        ("reserve_second_parent", of.above_bits),
        ("release_a", 1),
        ("release_a_row", index),
        ("release_b", 1),
        ("release_b_row", index),
        ("above_changed", 1),
        ("above_changed_row", of.above_bits),
        ("above_valid", 1),
        ("above_alpha", bits),
        ("above_limit", bits),
    ]);
    circuit.outputs(&[
        ("free_any", 1),
        ("free_both", 1),
        ("first_free", index),
        ("second_free", index),
        ("visit_parent", of.above_bits),
        ("done_parent_at", of.above),
    ]);
    if of.second {
        circuit.input("start_order", order_bits);
        circuit.outputs(&[("visit_order", order_bits), ("done_order", order_bits)]);
    }
}

fn declare(body: &mut Body, of: &Level) {
    for r in 0..of.rows {
        body.raw(format!(
            "
reg active_{r}, ages_{r}, raised_{r}, cut_{r}, negate_{r}, has_moves_{r}, order_wanted_{r}, order_pending_{r}, fours_only_{r};
reg [{generation}:0] generation_{r};
reg [{value}:0] alpha_{r}, limit_{r};
reg [{pending}:0] pending_{r};
reg [{returned}:0] returned_{r};
",
            generation = GENERATION_BITS - 1,
            value = of.layout.value_bits - 1,
            pending = PENDING_BITS - 1,
            returned = RETURNED_BITS - 1,
        ));
        if !of.root {
            body.raw(format!("reg reserved_{r};\nreg {}parent_{r};", range(of.above_bits)));
            let bits = killed_bits(of.above);
            let parent = format!("parent_{r}");
            let killed = body.select(&format!("killed_above_{r}"), 1, &parent, of.above_bits, &bits);
            body.raw(format!("wire parent_freed_{r} = {killed};"));
        }
        if !of.beamed {
            body.raw(format!("reg [{}:0] left_{r}, visits_{r};", LEFT_BITS - 1));
        }
        if of.beamed {
            body.raw(format!("reg narrowed_{r};\nreg [{}:0] beam_left_{r};", of.layout.count_bits - 1));
        }
        if of.second {
            body.raw(format!("reg [{}:0] order_{r};", of.order_bits() - 1));
        }
    }
    if of.root {
        body.comment("Place of the best root move so far: ties go to the earlier one.");
        body.raw(format!("reg [{}:0] best_order;", of.order_bits() - 1));
    }
}

fn held(body: &mut Body, of: &Level) {
    let mut taken = of.names("active");
    if !of.root {
        taken.extend(of.names("reserved"));
    }
    body.drive("held", taken.join(" | "));
}

fn reads(body: &mut Body, of: &Level) {
    body.comment("Reads.");
    let mut read = |output: &str, width: usize, row: &str, register: &str| {
        let value = of.read(body, output, width, row, register);
        body.drive(output, value);
    };
    if !of.last {
        read("drained_active", 1, "drained_row", "active");
    }
    read("visit_active", 1, "turn_row", "active");
    read("visit_fours", 1, "turn_row", "fours_only");
    read("visit_generation", GENERATION_BITS, "turn_row", "generation");
    read("generation", GENERATION_BITS, "generation_row", "generation");
    read("start_generation", GENERATION_BITS, "child_row", "generation");
    let active = of.read(body, "stays_active", 1, "generation_row", "active");
    let freed = if of.root {
        "1'b0".to_string()
    } else {
        of.read(body, "stays_freed", 1, "generation_row", "parent_freed")
    };
    body.drive("generation_stays", format!("{active} & ~{freed}"));
    body.drive("generation_leaves", "returns & (ending == generation_row)");
    let active = of.read(body, "issue_active", 1, "issue_row", "active");
    let generation = of.read(body, "issue_age", GENERATION_BITS, "issue_row", "generation");
    body.drive("issue_alive", format!("{active} & ({generation} == issue_generation)"));
}

/// The killed contexts above, a bit each.
fn killed_bits(above: usize) -> Vec<String> {
    (0..above).map(|i| if above == 1 { "killed".to_string() } else { format!("killed[{i}]") }).collect()
}

/// A value, or where the beam has cut moves and what was tried is lost, the least that is no proved loss. Wins less their plies
/// are the values whose upper bits are all set: a loss has its sign and then zeros.
fn not_lost(body: &mut Body, of: &Level, value: &str, narrowed: &str) -> String {
    let (bits, scoring) = (of.layout.value_bits, &of.layout.scoring);
    let margin = (scoring.win_score - scoring.unproved).ilog2() as usize;
    body.raw(format!(
        "wire unproved = {narrowed} & {value}[{sign}] & ~|{value}[{top}:{margin}];",
        sign = bits - 1,
        top = bits - 2,
    ));
    let least = (1usize << bits) - scoring.unproved as usize;
    format!("(unproved ? {} : {value})", constant(bits, least))
}

fn returns(body: &mut Body, of: &Level) {
    body.comment("One context returns a clock.");
    let ends = of.names("ends");
    let (ends_any, ending) = body.first_set("ending", of.index, &ends);
    let mut read =
        |register: &str, width: usize| of.read(body, &format!("ending_{register}"), width, &ending, register);
    let value = read("alpha", of.layout.value_bits);
    let [negate, cut, raised] = ["negate", "cut", "raised"].map(|register| read(register, 1));
    let order = of.second.then(|| read("order", of.order_bits()));
    let narrowed = of.beamed.then(|| read("narrowed", 1));
    let (alive, ending_alive) = if of.root {
        ("1'b1".to_string(), "1'b1".to_string())
    } else {
        let parent = read("parent", of.above_bits);
        let parents = one_hot(&parent, of.above_bits, of.above);
        let of_row = of.names("parent_freed");
        let ending_killed = body.select("ending_killed", 1, &ending, of.index, &of_row);
        body.raw(format!("always @(posedge aclk) if (returns) done_parent_at <= {parents};"));
        ("~|(done_parent_at & killed)".to_string(), format!("(~{ending_killed})"))
    };
    let value = match narrowed {
        Some(narrowed) => not_lost(body, of, &value, &narrowed),
        None => value,
    };
    // The root's node and the game look from the same side.
    let keep = if of.root { format!("~{negate}") } else { negate };
    body.raw(format!(
        "
wire ends_any = {ends_any};
wire returns = ends_any & (~done | done_ready) & ~clear;
always @(posedge aclk)
  if (!aresetn | clear) begin
    done <= 1'b0;
    done_new <= 1'b0;
  end else begin
    done_new <= returns & {ending_alive};
    if (returns) done <= {ending_alive};
    else if (done_ready | ~({alive})) done <= 1'b0;
  end
always @(posedge aclk)
  if (returns) begin
    done_row <= {ending};
    done_value <= {value};
    done_keep <= {keep};
    done_bound <= {cut} ? 2'd{lower} : {raised} ? 2'd{exact} : 2'd{upper};
  end
",
        lower = BoundCode::Lower as u8,
        exact = BoundCode::Exact as u8,
        upper = BoundCode::Upper as u8,
    ));
    if let Some(order) = order {
        body.drive_register("done_order", format!("returns ? {order} : done_order"));
    }
    if of.root {
        body.drive_register("done_order", "returns ? best_order : done_order");
    }
}
