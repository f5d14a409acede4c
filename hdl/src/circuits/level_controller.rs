// SPDX-License-Identifier: MIT OR Apache-2.0
//! One level of the search: the contexts of its nodes, their windows, what each may ask for next, and their returns.

use crate::kit::{Body, Circuit, constant, range};
use crate::layout::{GENERATION_BITS, Layout};
use engine_model::scoring::bits_for;

/// Codes of a return's bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum BoundCode {
    /// The node's value.
    Exact = 0,
    /// At most this: no move beat alpha.
    Upper = 1,
    /// At least this: beta was reached.
    Lower = 2,
}

/// Bits of the count of a context's children in flight; half its range is the limit.
const PENDING_BITS: usize = 6;
/// Bits of the saturating count of children that have returned.
const RETURNED_BITS: usize = 5;

/// Bits of a context's number within its level.
pub fn row_bits(layout: &Layout, level: usize) -> usize {
    bits_for(layout.contexts_at(level.max(1)) - 1)
}

/// Name of a level's module: the root's level resolves ties, the one below carries its moves' places for that.
fn kind(layout: &Layout, level: usize) -> String {
    let (rows, above) = (layout.contexts_at(level), layout.contexts_at(level.max(2) - 1));
    match level {
        1 => "level_controller_root".to_string(),
        2 => format!("level_controller_second_{rows}"),
        _ => format!("level_controller_{rows}_below_{above}"),
    }
}

/// Order of two root moves given as {gain, rank}: whether `a` precedes `b`.
fn earlier(layout: &Layout, a: &str, b: &str) -> String {
    let (low, high) = (layout.cell_bits, layout.gain_bits + layout.cell_bits - 1);
    let key = |name: &str| format!("{{{name}[{high}:{low}], ~{name}[{}:0]}}", low - 1);
    format!("({} > {})", key(a), key(b))
}

/// Controls the nodes at one level, one context each. A node's first child is searched alone; then as many further
/// children are in flight as have returned (class A), and any number when nothing else can be issued (class B); the root
/// opens up at once after its first child. A context is reserved for a child when it is issued, starts when the child's
/// evaluation says that it is searched further, and is freed when it returns; children of a context that is freed are
/// killed one level a clock, and what of theirs is still in the evaluator carries an older generation. Alpha and beta
/// follow the ancestors' by `refresh`, which visits bring.
///
/// Ports: `aclk`, `aresetn`; constant `beam` (0 = all) and `leaf_children`; `clear` frees everything. `reserve_first`,
/// `reserve_last` take the free context with the lowest, highest number (`first_free`, `last_free`; `free_any`,
/// `free_many`) for a child of `..._parent`; `release_a`, `release_b` give one back. `start` of `start_row` with its
/// parent, sign (`start_negate`), window, `start_issued` (its first child is on its way) and `start_more` (its set holds
/// others). `update`: a child's value for this node's mover (`update_order`: the root move). `ordered`: the pass for
/// order came back. `a_valid`, `b_valid` with row and `..._order` (a pass for order, else a child): what may be issued,
/// `child_free` says a child's context can be had; `take` issues. `drained`: the visit of `drained_row` did or did not
/// issue, whether moves are left, whether another pass for order is needed, only for fours. `refresh` with a window that
/// is never wider. Reads in the same clock: `window_row` (alpha and beta for a child of the root move `window_order`),
/// `bounds_row` (the same for visits), `own_row`, `visit_row`, and `generation` of `generation_row`, `start_generation`
/// of `start_row`. `done` with row, value for the parent's mover, bound, parent, until `done_ready`; `done_new` in its
/// first clock. `killed` contexts of the level above, `kill` this level's. `waits_order`, `waits_first`, `waits_context`: why
/// nothing is issued. One update and one return a clock; reset and `clear` free every context.
pub fn level_controller(layout: &Layout, level: usize) -> Circuit {
    let (rows, bits, index) = (layout.contexts_at(level), layout.value_bits, row_bits(layout, level));
    let (above, above_bits) = (layout.contexts_at(level.max(2) - 1), row_bits(layout, level.max(2) - 1));
    let (root, second) = (level == 1, level == 2);
    let order_bits = layout.gain_bits + layout.cell_bits;
    let count_bits = layout.count_bits;
    let mut circuit = Circuit::new(
        &kind(layout, level),
        &format!(
            "One level of the search with {rows} contexts: windows, cutoffs, what is issued next, returns.\n\
             One update and one return a clock; reset and clear free every context."
        ),
    );
    circuit.clocked(true);
    circuit.inputs(&[
        ("beam", count_bits),
        ("leaf_children", 1),
        ("clear", 1),
        ("reserve_first", 1),
        ("reserve_first_parent", above_bits),
        ("reserve_last", 1),
        ("reserve_last_parent", above_bits),
        ("release_a", 1),
        ("release_a_row", index),
        ("release_b", 1),
        ("release_b_row", index),
        ("start", 1),
        ("start_row", index),
        ("start_parent", above_bits),
        ("start_negate", 1),
        ("start_alpha", bits),
        ("start_beta", bits),
        ("start_issued", 1),
        ("start_more", 1),
        ("update", 1),
        ("update_row", index),
        ("update_value", bits),
        ("ordered", 1),
        ("ordered_row", index),
        ("ordered_found", 1),
        ("ordered_more", 1),
        ("child_free", 1),
        ("take", 1),
        ("take_row", index),
        ("take_order", 1),
        ("drained", 1),
        ("drained_row", index),
        ("drained_issue", 1),
        ("drained_closed", 1),
        ("drained_left", 1),
        ("drained_need", 1),
        ("drained_fours", 1),
        ("refresh", 1),
        ("refresh_row", index),
        ("refresh_alpha", bits),
        ("refresh_beta", bits),
        ("window_row", index),
        ("bounds_row", index),
        ("own_row", index),
        ("visit_row", index),
        ("issue_row", index),
        ("generation_row", index),
        ("done_ready", 1),
    ]);
    if !root {
        circuit.input("killed", above);
    }
    if root {
        circuit.inputs(&[
            ("update_order", order_bits),
            ("window_order", order_bits),
            ("bounds_order", order_bits),
        ]);
    }
    if second {
        circuit.input("start_order", order_bits);
        circuit.outputs(&[("visit_order", order_bits), ("done_order", order_bits)]);
    }
    circuit.outputs(&[
        ("free_any", 1),
        ("free_many", 1),
        ("first_free", index),
        ("last_free", index),
        ("a_valid", 1),
        ("a_row", index),
        ("a_order", 1),
        ("b_valid", 1),
        ("b_row", index),
        ("b_order", 1),
        ("window_alpha", bits),
        ("window_beta", bits),
        ("bounds_alpha", bits),
        ("bounds_beta", bits),
        ("own_alpha", bits),
        ("own_beta", bits),
        ("visit_active", 1),
        ("own_active", 1),
        ("drained_active", 1),
        ("issue_active", 1),
        ("visit_parent", above_bits),
        ("visit_negate", 1),
        ("visit_fours", 1),
        ("visit_generation", GENERATION_BITS),
        ("generation", GENERATION_BITS),
        ("start_generation", GENERATION_BITS),
        ("done", 1),
        ("done_new", 1),
        ("done_row", index),
        ("done_parent", above_bits),
        ("done_value", bits),
        ("done_own_value", bits),
        ("done_bound", 2),
        ("kill", rows),
        ("waits_order", 1),
        ("waits_first", 1),
        ("waits_context", 1),
    ]);

    let mut body = Body::new();
    let each = |f: &dyn Fn(usize) -> String| -> Vec<String> { (0..rows).map(f).collect() };
    let reg = |name: &str, r: usize| format!("{name}_{r}");
    let names = |name: &str| -> Vec<String> { (0..rows).map(|r| reg(name, r)).collect() };
    for r in 0..rows {
        body.comment(&format!("Context {r}."));
        body.raw(format!(
            "
reg reserved_{r}, active_{r}, raised_{r}, negate_{r}, has_moves_{r}, order_wanted_{r}, order_pending_{r}, fours_only_{r};
reg [{generation}:0] generation_{r};
reg {parent}parent_{r};
reg [{value}:0] alpha_{r}, beta_{r};
reg [{pending}:0] pending_{r};
reg [{returned}:0] returned_{r};
reg [{count}:0] beam_left_{r};
",
            generation = GENERATION_BITS - 1,
            parent = range(above_bits),
            value = bits - 1,
            pending = PENDING_BITS - 1,
            returned = RETURNED_BITS - 1,
            count = count_bits - 1,
        ));
        if second {
            body.raw(format!("reg [{}:0] order_{r};", order_bits - 1));
        }
    }
    if root {
        body.comment("Place of the best root move so far: ties go to the earlier one.");
        body.raw(format!("reg [{}:0] best_order;", order_bits - 1));
        circuit.output("done_order", order_bits);
    }
    body.raw(format!("wire beamed = (beam != {});", constant(count_bits, 0)));
    let at = |signal: &str, r: usize| format!("({signal} == {})", constant(index, r));
    let zero_pending = constant(PENDING_BITS, 0);

    body.comment("What each context is ready for.");
    for r in 0..rows {
        let gate_a = if root {
            format!("((pending_{r} == {zero_pending}) | (|returned_{r}))")
        } else {
            format!("({{1'b0, returned_{r}}} >= pending_{r})")
        };
        body.raw(format!(
            "
wire cut_{r} = raised_{r} & ($signed(alpha_{r}) >= $signed(beta_{r}));
wire idle_{r} = ~has_moves_{r} & ~order_wanted_{r};
wire ends_{r} = active_{r} & (cut_{r} | (idle_{r} & ~order_pending_{r} & (pending_{r} == {zero_pending})));
wire asks_{r} = active_{r} & ~cut_{r} & ~pending_{r}[{top}] & ((has_moves_{r} & (leaf_children | child_free)) | (~has_moves_{r} & order_wanted_{r}));
wire a_{r} = asks_{r} & {gate_a};
wire b_{r} = asks_{r} & (|returned_{r});
",
            top = PENDING_BITS - 1,
        ));
    }
    for class in ["a", "b"] {
        let wires = names(class);
        body.drive(&format!("{class}_valid"), wires.join(" | "));
        let row = body.first_set(&format!("{class}_first"), index, &wires, false);
        body.drive(&format!("{class}_row"), &row);
        let order = body.select(
            &format!("{class}_first_order"),
            1,
            &row,
            index,
            &each(&|r| format!("(~has_moves_{r})")),
        );
        body.drive(&format!("{class}_order"), order);
    }
    body.comment("Free contexts.");
    for r in 0..rows {
        body.raw(format!("wire free_{r} = ~reserved_{r} & ~active_{r};"));
    }
    let free = names("free");
    body.drive("free_any", free.join(" | "));
    let first = body.first_set("first_free_row", index, &free, false);
    let last = body.first_set("last_free_row", index, &free, true);
    body.drive("first_free", &first);
    body.drive("last_free", &last);
    body.drive("free_many", format!("{first} != {last}"));
    body.comment("Reads.");
    let mut read = |output: &str, width: usize, row: &str, register: &str| {
        let value = body.select(&format!("{output}_read"), width, row, index, &names(register));
        body.drive(output, value);
    };
    read("own_alpha", bits, "own_row", "alpha");
    read("own_beta", bits, "own_row", "beta");
    read("window_beta", bits, "window_row", "beta");
    read("bounds_beta", bits, "bounds_row", "beta");
    for port in ["visit", "own", "drained", "issue"] {
        read(&format!("{port}_active"), 1, &format!("{port}_row"), "active");
    }
    read("visit_parent", above_bits, "visit_row", "parent");
    read("visit_negate", 1, "visit_row", "negate");
    read("visit_fours", 1, "visit_row", "fours_only");
    read("visit_generation", GENERATION_BITS, "visit_row", "generation");
    read("generation", GENERATION_BITS, "generation_row", "generation");
    read("start_generation", GENERATION_BITS, "start_row", "generation");
    if second {
        read("visit_order", order_bits, "visit_row", "order");
    }
    if root {
        body.comment("A root move earlier than the best may tie: its window is one wider.");
        let one = constant(bits, 1);
        for (output, order) in [("window_alpha", "window_order"), ("bounds_alpha", "bounds_order")] {
            let before = earlier(layout, order, "best_order");
            body.drive(output, format!("(raised_0 & {before}) ? alpha_0 - {one} : alpha_0"));
        }
        let before = earlier(layout, "update_order", "best_order");
        body.raw(format!(
            "wire ties = raised_0 & (update_value == alpha_0) & {before};\n\
             wire better_0 = ($signed(update_value) > $signed(alpha_0)) | ties;"
        ));
    } else {
        read("window_alpha", bits, "window_row", "alpha");
        read("bounds_alpha", bits, "bounds_row", "alpha");
        for r in 0..rows {
            body.raw(format!("wire better_{r} = ($signed(update_value) > $signed(alpha_{r}));"));
        }
    }

    body.comment("One context returns a clock.");
    let ends = names("ends");
    let ending = body.first_set("ending", index, &ends, false);
    body.raw(format!(
        "wire ends_any = {};\nwire returns = ends_any & (~done | done_ready) & ~clear;",
        ends.join(" | ")
    ));
    let value = body.select("ending_value", bits, &ending, index, &names("alpha"));
    let negate = body.select("ending_negate", 1, &ending, index, &names("negate"));
    let parent = body.select("ending_parent", above_bits, &ending, index, &names("parent"));
    let cut = body.select("ending_cut", 1, &ending, index, &names("cut"));
    let raised = body.select("ending_raised", 1, &ending, index, &names("raised"));
    // The root's node and the game look from the same side.
    let (straight, turned) = if root { (0, 1) } else { (1, 0) };
    let sides = [format!("~{value} + {}", constant(bits, 1)), value.clone()];
    let alive = if root {
        "1'b1".to_string()
    } else {
        format!("~({})", body.select("parent_killed", 1, "done_parent", above_bits, &killed_bits(above)))
    };
    let ending_alive = if root {
        "1'b1".to_string()
    } else {
        format!("~({})", body.select("ending_killed", 1, &parent, above_bits, &killed_bits(above)))
    };
    body.raw(format!(
        "
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
    done_parent <= {parent};
    done_value <= {negate} ? {with_negate} : {without};
    done_own_value <= {value};
    done_bound <= {cut} ? 2'd{lower} : {raised} ? 2'd{exact} : 2'd{upper};
  end
",
        with_negate = sides[straight],
        without = sides[turned],
        lower = BoundCode::Lower as u8,
        exact = BoundCode::Exact as u8,
        upper = BoundCode::Upper as u8,
    ));
    if second {
        let order = body.select("ending_order", order_bits, &ending, index, &names("order"));
        body.drive_register("done_order", format!("returns ? {order} : done_order"));
    }
    if root {
        body.drive_register("done_order", "returns ? best_order : done_order");
        body.raw("always @(posedge aclk) if (update & better_0) best_order <= update_order;");
    }
    for r in 0..rows {
        let freed_by_parent = if root {
            "1'b0".to_string()
        } else {
            body.select(&format!("parent_freed_{r}"), 1, &reg("parent", r), above_bits, &killed_bits(above))
        };
        let reserve_first = format!("(reserve_first & {})", at(&first, r));
        let reserve_last = format!("(reserve_last & {})", at(&last, r));
        body.comment(&format!("Context {r}: life."));
        body.raw(format!(
            "
wire frees_{r} = (returns & {ending_here}) | {freed_by_parent} | clear;
wire starts_{r} = start & {start_here};
wire update_{r} = update & {update_here} & active_{r};
wire ordered_{r}_now = ordered & {ordered_here};
wire take_{r} = take & {take_here};
wire drained_{r} = drained & {drained_here} & active_{r};
wire miss_{r} = drained_{r} & ~drained_issue;
wire refresh_{r} = refresh & {refresh_here} & active_{r} & ~update_{r};
always @(posedge aclk)
  if (!aresetn) begin
    reserved_{r} <= 1'b0;
    active_{r} <= 1'b0;
    {kill} <= 1'b0;
    generation_{r} <= {zero_generation};
  end else begin
    {kill} <= frees_{r} & active_{r};
    if (frees_{r} & (reserved_{r} | active_{r})) begin
      reserved_{r} <= 1'b0;
      active_{r} <= 1'b0;
      generation_{r} <= generation_{r} + {one_generation};
    end else if (starts_{r} & ~clear) begin
      reserved_{r} <= 1'b0;
      active_{r} <= 1'b1;
    end else if (({reserve_first} | {reserve_last}) & ~clear)
      reserved_{r} <= 1'b1;
    else if ((release_a & {release_a_here}) | (release_b & {release_b_here}))
      reserved_{r} <= 1'b0;
  end
always @(posedge aclk) begin
  if (starts_{r}) parent_{r} <= start_parent;
  else if ({reserve_first}) parent_{r} <= reserve_first_parent;
  else if ({reserve_last}) parent_{r} <= reserve_last_parent;
  if (starts_{r}) begin
    negate_{r} <= start_negate;
    alpha_{r} <= start_alpha;
    beta_{r} <= start_beta;
    raised_{r} <= 1'b0;
    pending_{r} <= {{{pending_zeros}, start_issued}};
    returned_{r} <= {zero_returned};
    has_moves_{r} <= ~start_issued | (start_more & ~beamed);
    order_wanted_{r} <= beamed & start_more & (beam != {one_count});
    order_pending_{r} <= 1'b0;
    fours_only_{r} <= 1'b0;
    beam_left_{r} <= beam - {one_count};
  end else begin
    if (update_{r} & better_{r}) begin
      alpha_{r} <= update_value;
      raised_{r} <= 1'b1;
    end else if (refresh_{r} & ($signed(refresh_alpha) > $signed(alpha_{r}))) begin
      alpha_{r} <= refresh_alpha;
      raised_{r} <= 1'b0;
    end
    if (refresh_{r} & ($signed(refresh_beta) < $signed(beta_{r}))) beta_{r} <= refresh_beta;
    pending_{r} <= pending_{r} + {{{pending_zeros}, take_{r} & ~take_order}} - {{{pending_zeros}, update_{r}}} - {{{pending_zeros}, miss_{r}}};
    if (update_{r} & ~(&returned_{r})) returned_{r} <= returned_{r} + {one_returned};
    if (take_{r} & take_order) begin
      order_wanted_{r} <= 1'b0;
      order_pending_{r} <= 1'b1;
    end
    if (take_{r} & ~take_order & beamed) has_moves_{r} <= 1'b0;
    if (ordered_{r}_now) begin
      order_pending_{r} <= 1'b0;
      has_moves_{r} <= ordered_found;
      beam_left_{r} <= beam_left_{r} - {one_count};
      order_wanted_{r} <= beamed & ordered_found & ordered_more & (beam_left_{r} != {one_count});
    end
    if (drained_{r} & beamed) begin
      if (drained_closed) has_moves_{r} <= 1'b1;
      else if (~drained_need) order_wanted_{r} <= 1'b0;
    end
    if (drained_{r} & ~beamed & ~drained_closed & has_moves_{r}) begin
      has_moves_{r} <= drained_left;
      order_wanted_{r} <= ~drained_left & drained_need;
      fours_only_{r} <= fours_only_{r} | (~drained_left & drained_fours);
    end
  end
end
",
            kill = if rows == 1 { "kill".to_string() } else { format!("kill[{r}]") },
            ending_here = at(&ending, r),
            start_here = at("start_row", r),
            update_here = at("update_row", r),
            ordered_here = at("ordered_row", r),
            take_here = at("take_row", r),
            drained_here = at("drained_row", r),
            refresh_here = at("refresh_row", r),
            release_a_here = at("release_a_row", r),
            release_b_here = at("release_b_row", r),
            zero_generation = constant(GENERATION_BITS, 0),
            one_generation = constant(GENERATION_BITS, 1),
            pending_zeros = constant(PENDING_BITS - 1, 0),
            zero_returned = constant(RETURNED_BITS, 0),
            one_returned = constant(RETURNED_BITS, 1),
            one_count = constant(count_bits, 1),
        ));
        if second {
            body.raw(format!("always @(posedge aclk) if (starts_{r}) order_{r} <= start_order;"));
        }
    }
    body.comment("Why nothing is issued.");
    let any = |f: &dyn Fn(usize) -> String| each(f).join(" | ");
    body.drive("waits_order", any(&|r| format!("(active_{r} & order_pending_{r})")));
    body.drive("waits_first", any(&|r| format!("(asks_{r} & ~a_{r})")));
    body.drive(
        "waits_context",
        any(&|r| format!("(active_{r} & ~cut_{r} & has_moves_{r} & ~leaf_children & ~child_free)")),
    );
    circuit.set_body(body.finish());
    circuit
}

fn killed_bits(above: usize) -> Vec<String> {
    (0..above).map(|i| if above == 1 { "killed".to_string() } else { format!("killed[{i}]") }).collect()
}
