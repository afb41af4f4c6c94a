// Marks of events on the playback bar, and curves that move along, for a page that needs no server.
(function () {
  const data = window.LINKWORK;
  const slider = () => document.querySelector('[role="slider"]');
  const field = () => document.querySelector('input[inputmode="decimal"]') || document.querySelector('.mantine-NumberInput-input');
  const now = () => { const s = slider(); return s ? parseFloat(s.getAttribute("aria-valuenow")) : 0; };
  function seek(t) {                       // type the time into the player's own field
    const input = field();
    if (!input) return;
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
    input.focus();
    set.call(input, t.toFixed(4));
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.blur();
  }
  window.linkworkSeek = (t) => seek(t - data.start);
  window.linkworkPlay = () => field().closest(".mantine-Paper-root").querySelector("button").click();
  window.linkworkTime = () => now() + data.start;

  const panel = document.createElement("div");
  panel.id = "linkwork";
  panel.style.cssText = "position:fixed;left:12px;bottom:56px;z-index:5;font:13px/1.4 system-ui,sans-serif;color:#1f2933;" +
    "background:rgba(255,255,255,.86);border-radius:8px;padding:8px 12px;max-width:330px;box-shadow:0 1px 8px rgba(0,0,0,.12)";
  const title = document.createElement("b");
  title.textContent = data.title;
  const clock = document.createElement("span");
  clock.style.cssText = "float:right;margin-left:16px;font-variant-numeric:tabular-nums";
  const fold = document.createElement("span");
  fold.textContent = " \u25be";
  title.style.cursor = "pointer";
  title.title = "fold or unfold";
  title.append(fold);
  const body = document.createElement("div");
  title.onclick = () => { body.hidden = !body.hidden; fold.textContent = body.hidden ? " \u25b8" : " \u25be"; };
  panel.append(clock, title, body);
  const list = document.createElement("div");
  list.style.cssText = "max-height:140px;overflow:auto;margin-top:2px";
  data.events.forEach((event) => {
    const row = document.createElement("div");
    row.className = "linkwork-event";
    row.textContent = event.t.toFixed(2) + " s  " + event.what;
    row.style.cssText = "cursor:pointer;color:#b23";
    row.onclick = () => window.linkworkSeek(event.t);
    event.row = row;
    list.append(row);
  });
  if (data.events.length) body.append(list);
  const colors = ["#4c78a8", "#e08e38", "#549660", "#966ea0", "#c85454", "#5aa0a5"];
  let choice = null, canvas = null, legend = null;
  if (data.signals.length) {
    choice = document.createElement("select");
    choice.style.cssText = "display:block;margin-top:6px;font:inherit;max-width:300px";
    data.signals.forEach((signal, k) => choice.add(new Option(signal.label, k)));
    canvas = document.createElement("canvas");
    canvas.width = 600; canvas.height = 220;
    canvas.style.cssText = "width:300px;height:110px;display:block;margin-top:4px";
    legend = document.createElement("div");
    legend.style.cssText = "font-size:11px;max-width:300px;display:flex;flex-wrap:wrap";
    body.append(choice, canvas, legend);
    choice.onchange = name;
    name();
  }
  function name() {                        // the curves, each in its colour
    legend.replaceChildren(...data.signals[choice.value].names.map((label, k) => {
      const entry = document.createElement("span");
      entry.textContent = label;
      entry.style.cssText = "margin-right:10px;white-space:nowrap;color:" + colors[k % 6];
      return entry;
    }));
  }
  function curve(t) {
    const g = canvas.getContext("2d"), s = data.signals[choice.value], w = canvas.width, h = canvas.height;
    const low = Math.min(...s.low), high = Math.max(...s.high), span = high - low || 1;
    const x = (v) => (v - data.start) / (data.end - data.start || 1) * w;
    const y = (v) => h - 12 - (v - low) / span * (h - 24);
    g.clearRect(0, 0, w, h);
    g.font = "20px system-ui"; g.fillStyle = "#7b8794";
    const text = (v) => (Math.abs(v) < 1e-9 * span ? 0 : v).toPrecision(3);
    g.fillText(text(high), 2, 20); g.fillText(text(low), 2, h - 2);
    g.strokeStyle = "#d9a5a5";
    if (data.events.length <= 40) data.events.forEach((e) => { g.beginPath(); g.moveTo(x(e.t), 0); g.lineTo(x(e.t), h); g.stroke(); });
    s.curves.forEach((values, k) => {
      g.strokeStyle = colors[k % 6]; g.lineWidth = 2.5; g.beginPath();
      let down = false;
      values.forEach((v, i) => {
        if (v === null) { down = false; return; }
        down ? g.lineTo(x(data.t[i]), y(v)) : g.moveTo(x(data.t[i]), y(v));
        down = true;
      });
      g.stroke();
    });
    g.strokeStyle = "#1f2933"; g.lineWidth = 2;
    g.beginPath(); g.moveTo(x(t), 0); g.lineTo(x(t), h); g.stroke();
  }
  let marked = null, drawn = "";
  function tick() {
    requestAnimationFrame(tick);
    const s = slider();
    if (!s) return;
    if (!panel.isConnected) document.body.append(panel);
    const bar = s.parentElement;
    if (marked !== bar) {
      marked = bar;
      data.events.forEach((event) => {
        const mark = document.createElement("div");
        mark.className = "linkwork-mark";
        mark.title = event.t.toFixed(3) + " s: " + event.what;
        mark.style.cssText = "position:absolute;top:-6px;width:" + (data.events.length > 40 ? 1 : 3) + "px;height:20px;background:#d64545;z-index:9;cursor:pointer;" +
          "left:" + 100 * (event.t - data.start) / (data.end - data.start || 1) + "%";
        mark.addEventListener("mousedown", (e) => { e.stopPropagation(); window.linkworkSeek(event.t); });
        bar.append(mark);
      });
    }
    const t = window.linkworkTime(), key = t.toFixed(3) + (choice ? choice.value : "");
    if (key === drawn) return;
    drawn = key;
    clock.textContent = t.toFixed(2) + " s";
    data.events.forEach((e) => { e.row.style.fontWeight = t >= e.t - 1e-9 && t < e.t + 0.8 ? "bold" : "normal"; });
    const last = data.events.findLast((e) => t >= e.t - 1e-9);
    if (last) list.scrollTop = last.row.offsetTop - list.offsetTop - list.clientHeight + last.row.offsetHeight;
    if (choice) curve(t);
  }
  tick();
})();
