"use strict";
// Moves a cursor through the pictures and shows a window of the steps. Names reach the page as text, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const element = (id) => document.getElementById(id);
  const steps = data.steps.length;
  if (steps === 0) return;
  const PAGE = 100;
  const count = (number) => number.toLocaleString("en");

  // --- pictures ---

  const figures = [...document.querySelectorAll("figure[data-series]")].map((figure) => ({
    figure,
    svg: figure.querySelector("svg"),
    area: figure.querySelector(".area"),
    line: figure.querySelector(".cursor"),
    output: figure.querySelector("output"),
    ends: figure.querySelector("output") ? figure.querySelector("output").textContent : "",
    series: figure.dataset.series === "cost" ? null : data.series[Number(figure.dataset.series)],
  }));

  function valueAt([places, values], step) {
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle] <= step) low = middle + 1;
      else high = middle;
    }
    return low ? values[low - 1] : "–";
  }

  function place(entry, step) {
    const [left, top, width, height] = ["x", "y", "width", "height"].map((name) => entry.area[name].baseVal.value);
    const x = left + width * (step / steps);
    entry.line.setAttribute("d", `M${x.toFixed(1)} ${top}v${height}`);
    if (entry.output) entry.output.textContent = step ? valueAt(entry.series, step) : entry.ends;
  }

  // --- steps ---

  const text = (index) => data.names[index];
  let matches = null; // null: all steps
  let first = 0;

  function span(kind, content) {
    const node = document.createElement("span");
    node.className = kind;
    node.textContent = content;
    return node;
  }

  function changesOf(number) {
    const [values, added, deleted] = data.changes[number];
    const told = [
      ...values.map(([key, old, now]) => span("number", `${text(key)} ${old === null ? "–" : old} → ${now}`)),
      ...added.map((fact) => span("more", `+ ${text(fact)}`)),
      ...deleted.map((fact) => span("less", `− ${text(fact)}`)),
    ];
    if (told.length > data.seen) {
      const [more, summary] = ["details", "summary"].map((kind) => document.createElement(kind));
      summary.textContent = `${count(told.length - data.seen)} more`;
      more.append(summary, ...told.splice(data.seen));
      told.push(more);
    }
    return told;
  }

  function row(number) {
    const item = document.createElement("li");
    item.value = number + 1;
    const action = document.createElement("button");
    action.type = "button";
    action.className = "action";
    action.textContent = text(data.steps[number]);
    action.addEventListener("click", () => go(number + 1, false));
    const changes = span("changes", "");
    if (number === data.failed) {
      item.classList.add("failed");
      changes.append(span("bad", "cannot be executed"));
    } else if (number < data.changes.length) {
      changes.append(...changesOf(number));
    }
    item.append(action, changes);
    return item;
  }

  function list() {
    const total = matches === null ? steps : matches.length;
    first = Math.max(0, Math.min(first, total - 1));
    const last = Math.min(first + PAGE, total);
    const shown = [];
    for (let place = first; place < last; place += 1) shown.push(row(matches === null ? place : matches[place]));
    element("rows").replaceChildren(...shown);
    element("page").textContent = total ? `${count(first + 1)} to ${count(last)} of ${count(total)}` : "none";
    element("earlier").disabled = first === 0;
    element("later").disabled = last >= total;
    element("count").textContent = matches === null ? `${count(steps)} steps` : `${count(total)} of ${count(steps)} steps`;
    mark();
  }

  function mark() {
    for (const item of element("rows").children) item.classList.toggle("current", item.value === now);
  }

  function find(wanted) {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    matches = words.length ? [] : null;
    if (matches !== null) {
      const found = data.names.map((known) => words.map((word) => known.toLowerCase().includes(word)));
      for (let number = 0; number < steps; number += 1) {
        const [values, added, deleted] = data.changes[number] || [[], [], []];
        const parts = [data.steps[number], ...values.map(([key]) => key), ...added, ...deleted];
        if (words.every((_, place) => parts.some((part) => found[part][place]))) matches.push(number);
      }
    }
    first = 0;
    list();
  }

  // --- the cursor ---

  let now = 0;

  function go(step, follow = true) {
    now = Math.max(0, Math.min(step, steps));
    element("cursor").value = now;
    for (const entry of figures) place(entry, now);
    const cost = data.cost.length > now && data.cost[now] !== null ? `, cost ${data.cost[now]}` : "";
    const what = now ? `${count(now)} of ${count(steps)}: ${text(data.steps[now - 1])}${cost}` : `the start, before ${count(steps)} steps`;
    element("now").textContent = what;
    element("cursor").setAttribute("aria-valuetext", what);
    if (follow && now && matches === null && (now <= first || now > first + PAGE)) {
      first = Math.floor((now - 1) / PAGE) * PAGE;
      list();
    } else {
      mark();
    }
  }

  for (const entry of figures) {
    entry.svg.addEventListener("click", (event) => {
      const box = entry.area.getBoundingClientRect();
      go(Math.round(((event.clientX - box.left) / box.width) * steps));
    });
  }
  element("cursor").max = steps;
  element("cursor").addEventListener("input", (event) => go(Number(event.target.value)));
  element("back").addEventListener("click", () => go(now - 1));
  element("forth").addEventListener("click", () => go(now + 1));
  element("earlier").addEventListener("click", () => { first -= PAGE; list(); });
  element("later").addEventListener("click", () => { first += PAGE; list(); });
  element("find").addEventListener("input", (event) => find(event.target.value));
  for (const hidden of document.querySelectorAll(".tools, #control")) hidden.hidden = false;
  for (const fallback of document.querySelectorAll(".static")) fallback.hidden = true;
  document.body.classList.add("live");
  list();
  go(0, false);
})();
