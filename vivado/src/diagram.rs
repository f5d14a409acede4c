// SPDX-License-Identifier: MIT OR Apache-2.0
//! The block diagram of a core, as SVG.

use crate::Face;
use hdl::Layout;
use hdl::circuits::evaluator;
use std::fmt::Write;

const WIDTH: u32 = 980;
const HEIGHT: u32 = 380;
const LINE: u32 = 17;

/// A drawing that grows.
struct Drawing(String);

impl Drawing {
    /// A box at x, y with a name and lines below it.
    fn block(&mut self, [x, y, width, height]: [u32; 4], name: &str, lines: &[String]) {
        let middle = x + width / 2;
        let _ = writeln!(
            self.0,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\" fill=\"#eef3fa\" stroke=\"#274b7a\"/>\n\
             <text x=\"{middle}\" y=\"{}\" font-weight=\"bold\" text-anchor=\"middle\">{name}</text>",
            y + 20
        );
        for (number, line) in (1..).zip(lines) {
            let _ = writeln!(
                self.0,
                "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{line}</text>",
                y + 20 + LINE * number
            );
        }
    }

    /// An arrow along corners, its label at x, y.
    fn arrow(&mut self, corners: &[(u32, u32)], label: &str, (x, y): (u32, u32)) {
        let points: Vec<String> = corners.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let _ = writeln!(
            self.0,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#333\" marker-end=\"url(#head)\"/>\n\
             <text x=\"{x}\" y=\"{y}\" fill=\"#555\">{label}</text>",
            points.join(" ")
        );
    }
}

/// The diagram.
pub fn svg(layout: &Layout, face: Face) -> String {
    let config = &layout.config;
    let mut drawing = Drawing(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path d=\"M0,0 L8,4 L0,8 z\" fill=\"#333\"/></marker></defs>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    ));
    let mut outside = vec![];
    if let Face::Slot(slot) = face {
        let bus = match slot {
            soc_integration::Face::Ahb => "AHB-Lite",
            soc_integration::Face::Apb => "APB",
            soc_integration::Face::Axil => "AXI4-Lite",
        };
        drawing.block(
            [20, 50, 130, 110],
            "register_file",
            &[bus.into(), "CONTROL, DATA_IN".into(), "DATA_OUT, STATUS".into(), "counters".into()],
        );
        outside.push(("control, data", 90, true));
        outside.push(("answer", 130, false));
    } else {
        outside.push(("s_axis_control", 75, true));
        outside.push(("s_axis_data", 105, true));
        outside.push(("m_axis_data", 140, false));
    }
    for (label, y, inward) in outside {
        let (from, to) = if matches!(face, Face::Axis) { (40, 250) } else { (150, 250) };
        let corners = if inward { [(from, y), (to, y)] } else { [(to, y), (from, y)] };
        drawing.arrow(&corners, label, (158, y - 5));
    }
    drawing.block([250, 50, 150, 110], "command_face", &["commands, refusals,".into(), "answers".into()]);
    drawing.block(
        [250, 240, 150, 100],
        "game_controller",
        &["level 0: the game,".into(), "the root's moves,".into(), "the decision".into()],
    );
    let levels = config.levels;
    drawing.block([466, 246, 150, 100], "", &[]);
    drawing.block(
        [460, 240, 150, 100],
        if levels == 1 { "level_controller 1" } else { "level_controller" },
        &[
            format!("1 .. {levels}"),
            format!("{} contexts each", config.contexts),
            "alpha, beta, beams".into(),
        ],
    );
    drawing.block(
        [700, 50, 240, 80],
        "node_builder",
        &["board = root OR moves of the path".into(), format!("at most {} moves", config.max_path())],
    );
    let interval = evaluator::interval(layout);
    let rate = if interval == 1 { "a node a clock".into() } else { format!("a node in {interval} clocks") };
    drawing.block(
        [700, 210, 240, 130],
        "evaluator",
        &[
            format!("{} windows, {} cells", layout.geometry.windows.len(), layout.cells),
            format!("{} rows at once", config.rows_per_clock),
            format!("{rate}, {} deep", evaluator::latency(layout)),
            "rule, first cells of the groups,".into(),
            "leaf value".into(),
        ],
    );
    drawing.arrow(&[(290, 160), (290, 240)], "move, search", (212, 205));
    drawing.arrow(&[(315, 240), (315, 160)], "decision", (321, 205));
    drawing.arrow(&[(400, 275), (460, 275)], "start", (412, 270));
    drawing.arrow(&[(460, 310), (400, 310)], "value", (412, 305));
    drawing.arrow(&[(535, 240), (535, 100), (700, 100)], "path of the next node", (545, 94));
    drawing.arrow(&[(380, 240), (380, 180), (480, 180), (480, 70), (700, 70)], "root", (490, 64));
    drawing.arrow(&[(820, 130), (820, 210)], "board, tag", (828, 175));
    drawing.arrow(&[(700, 290), (616, 290)], "result, tag", (628, 285));
    drawing.0.push_str("</svg>\n");
    drawing.0
}
