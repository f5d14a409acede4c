// SPDX-License-Identifier: MIT OR Apache-2.0
// A page that holds a recording shows it, without a server.
"use strict";

{
  const inside = document.getElementById("recording");
  if (inside) {
    const recording = JSON.parse(inside.textContent);
    const board = new tengen.Board(document.getElementById("board"), recording.core);
    const view = new tengen.CoreView(document.getElementById("core"), { mark: (marks, moves) => board.show({ moves, ...marks }) });
    tengen.view = view;
    view.load(recording);
  }
}
