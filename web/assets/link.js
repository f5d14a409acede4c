// SPDX-License-Identifier: MIT OR Apache-2.0
// The line to the server: requests with answers, made anew when it was lost.
"use strict";

tengen.Link = class {
  /** Bytes of a message that the server reads. */
  static LONGEST = 64 << 10;

  /** Seconds of silence after which the server is asked whether it is there, while something waits for it. */
  static QUIET = 3;
  /** Seconds that it then has. */
  static PATIENCE = 3;

  /** `told(text)`: a notice of the server's; `changed(open)`: the line is there or lost. */
  constructor(told, changed) {
    this.told = told;
    this.changed = changed;
    this.next = 1;
    this.waiting = new Map();
    this.unsent = [];
    this.delay = 250;
    this.open = null;
    this.connect();
    setInterval(() => this.watch(), 500);
  }

  /** Where the server of a page at this `location` listens: behind a proxy that speaks TLS, by TLS too. */
  static address({ protocol, host }) {
    return `${protocol === "https:" ? "wss" : "ws"}://${host}/ws`;
  }

  connect() {
    const socket = new WebSocket(tengen.Link.address(location));
    this.socket = socket;
    this.asked = performance.now();
    this.alive = performance.now();
    socket.onopen = () => {
      this.delay = 250;
      this.open = true;
      this.changed(true);
      this.unsent.splice(0).forEach((text) => socket.send(text));
    };
    socket.onmessage = (event) => {
      this.alive = performance.now();
      this.heard(JSON.parse(event.data));
    };
    socket.onclose = () => this.lose(socket, "the connection to the server was lost");
  }

  /** A socket is given up, and another one tried. */
  lose(socket, why) {
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    this.unsent = [];
    this.open = false;
    this.changed(false);
    lost.forEach(({ reject }) => reject(new Error(why)));
    setTimeout(() => this.connect(), this.delay);
    this.delay = Math.min(this.delay * 2, 5000);
  }

  /** A server that is stopped keeps its connections: whether it answers shows only by asking. */
  watch() {
    const { socket } = this;
    if (socket.readyState > WebSocket.OPEN) return;
    const now = performance.now();
    const quiet = (now - this.alive) / 1000;
    if (quiet > tengen.Link.QUIET + tengen.Link.PATIENCE && (this.waiting.size > 0 || this.unsent.length > 0 || socket.readyState === WebSocket.CONNECTING)) {
      return this.lose(socket, "the server does not answer");
    }
    if (this.waiting.size === 0) this.alive = now;
    else if (socket.readyState === WebSocket.OPEN && quiet > tengen.Link.QUIET && now - this.asked > 1000 * tengen.Link.QUIET) {
      this.asked = now;
      // There is nothing of this number: it is answered at once, whatever else the server does.
      socket.send(JSON.stringify({ id: this.next++, type: "cancel", of: 0 }));
    }
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
    const refused = (why) => {
      const answer = Promise.reject(new Error(why));
      answer.cancel = () => {};
      return answer;
    };
    if (new TextEncoder().encode(text).length > tengen.Link.LONGEST) return refused("this is too long for one message: at most 64 KiB");
    if (this.open === false) return refused("the server is gone; this page tries to reach it again");
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
