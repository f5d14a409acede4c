// SPDX-License-Identifier: MIT OR Apache-2.0
// The line to the server: requests with answers, made anew when it was lost.
"use strict";

tengen.Link = class {
  /** Bytes of a message that the server reads. */
  static LONGEST = 64 << 10;

  /** `told(text)`: a notice of the server's; `changed(open)`: the line is there or lost. */
  constructor(told, changed) {
    this.told = told;
    this.changed = changed;
    this.next = 1;
    this.waiting = new Map();
    this.unsent = [];
    this.delay = 250;
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => {
      this.delay = 250;
      this.changed(true);
      this.unsent.splice(0).forEach((text) => socket.send(text));
    };
    socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    socket.onclose = () => {
      const lost = [...this.waiting.values()];
      this.waiting.clear();
      this.unsent = [];
      this.changed(false);
      lost.forEach(({ reject }) => reject(new Error("the line to the server was lost")));
      setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(this.delay * 2, 5000);
    };
  }

  heard(message) {
    if (message.type === "notice") return this.told(message.text);
    const request = this.waiting.get(message.id);
    if (!request) return message.type === "error" ? this.told(message.message) : undefined;
    if (["queued", "iteration", "point"].includes(message.type)) return request.meanwhile?.(message);
    this.waiting.delete(message.id);
    if (message.type === "error") request.reject(new Error(message.message));
    else request.resolve(message);
  }

  /** Asks; the promise has `cancel()`, and its answer may be `{type: "cancelled"}`. */
  ask(request, meanwhile = null) {
    const id = this.next++;
    const text = JSON.stringify({ id, ...request });
    if (new TextEncoder().encode(text).length > tengen.Link.LONGEST) {
      const refused = Promise.reject(new Error("this is too long for one message: at most 64 KiB"));
      refused.cancel = () => {};
      return refused;
    }
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, meanwhile }));
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.unsent.push(text);
    answer.cancel = () => {
      if (this.waiting.has(id) && this.socket.readyState === WebSocket.OPEN) {
        this.socket.send(JSON.stringify({ id: this.next++, type: "cancel", of: id }));
      }
    };
    return answer;
  }
};
