// Shows the interleaving as a list of rows, time downwards, with a lane for each thread.  A row is a grid: its number,
// the lanes, the text.  If lanes are wide enough, the text is in the lane of its thread; else lanes are thin lines with
// the text beside them.  Of a very long trace, only a window around the chosen step is in the document.

const WINDOW = 800;
const WIDE_LANE = 190; // pixels

function stepText(row) {
  if (row.end) return [element("strong", {}, withCode(row.what ?? "here"))];
  const object = row.object && element("code", {}, row.object);
  const value = row.value !== undefined && element("code", { class: "value" }, row.value);
  if (row.op === "create" && object && value) return ["create ", row.value, " ", object];
  if (object && value) return [verbOf(row.op), " ", object, ACCESSES.includes(row.op) ? " = " : ": ", value];
  return [verbOf(row.op), object || value ? " " : "", object || value || ""];
}

function laneCell(row, thread, column) {
  const bars = row.bars.get(thread.number) ?? [];
  return element(
    "span",
    { class: "lane" + (row.alive.has(thread.number) ? " alive" : ""), "--column": column },
    bars.map(bar =>
      element("i", {
        class: bar.first && row.thread === thread.number ? "bar first" : "bar",
        title: bar.lock,
        "--track": bar.track,
      }),
    ),
    row.thread === thread.number ? element("i", { class: "dot" }) : null,
  );
}

function switchLine(row, columnOf) {
  const from = columnOf.get(row.from);
  const to = columnOf.get(row.thread);
  return element("i", { class: "switch-line", "--from": Math.min(from, to), "--to": Math.max(from, to) });
}

function laneRow(trace, k, columnOf, choose) {
  const row = trace.rows[k];
  const column = columnOf.get(row.thread);
  return element(
    "li",
    {
      id: "step-" + k,
      role: "option",
      class: row.end ? "end" : row.again ? "again" : null,
      "aria-selected": "false",
      onclick: () => choose(k),
    },
    element("span", { class: "number" }, row.end ? "!" : String(row.step)),
    trace.threads.map((thread, i) => laneCell(row, thread, i)),
    row.switched ? switchLine(row, columnOf) : null,
    element(
      "span",
      {
        class: "what",
        "--column": column,
        title: [row.file && `${row.file}:${row.line}`, row.text].filter(Boolean).join("\n"),
      },
      element("span", { class: "who" }, "T" + row.thread),
      " ",
      element("span", { class: "line" }, row.line ? String(row.line) : "?"),
      " ",
      stepText(row),
      [row.mark, row.back].filter(Boolean).map(text => element("em", { class: "loop-mark" }, " \u21bb " + text)),
    ),
  );
}

function laneHead(trace) {
  return element(
    "div",
    { class: "lane-head", "aria-hidden": "true" },
    element("span", { class: "number" }),
    trace.threads.map((thread, column) =>
      element(
        "span",
        { class: "thread", "--column": column, title: `thread ${thread.number} (${thread.name})` },
        element("span", { class: "tee" }, "T"),
        element("b", {}, String(thread.number)),
        element("span", { class: "name" }, " " + thread.name),
      ),
    ),
  );
}

// `choose (k)` is called when the user picks a row.
function makeLanes(trace, choose) {
  const columnOf = new Map(trace.threads.map((thread, column) => [thread.number, column]));
  const list = element("ol", {
    class: "steps",
    role: "listbox",
    tabindex: 0,
    "aria-label": "Steps of the interleaving",
  });
  const view = element(
    "div",
    {
      class: "lanes",
      "--threads": trace.threads.length,
      "--tracks": trace.tracks,
      "--digits": String(trace.rows.length).length,
    },
    laneHead(trace),
    list,
  );
  let first = -1;
  const fill = chosen => {
    if (first >= 0 && chosen >= first && chosen < first + list.children.length) return;
    first = Math.max(0, Math.min(chosen - WINDOW / 2, trace.rows.length - WINDOW));
    const end = Math.min(first + WINDOW, trace.rows.length);
    list.replaceChildren();
    for (let k = first; k < end; k++) list.append(laneRow(trace, k, columnOf, choose));
  };
  new ResizeObserver(() => {
    view.classList.toggle("wide", view.clientWidth / trace.threads.length >= WIDE_LANE);
  }).observe(view);
  return {
    view,
    list,
    show(chosen) {
      fill(chosen);
      list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
      const row = list.children[chosen - first];
      row.setAttribute("aria-selected", "true");
      list.setAttribute("aria-activedescendant", row.id);
      bringIntoView(view, row);
    },
  };
}

// Scrolls only the box: the page stays where the reader has scrolled it.
function bringIntoView(box, part) {
  const outer = box.getBoundingClientRect();
  const inner = part.getBoundingClientRect();
  const margin = outer.height / 5;
  if (inner.top < outer.top + margin) box.scrollTop -= outer.top + margin - inner.top;
  else if (inner.bottom > outer.bottom - margin) box.scrollTop += inner.bottom - outer.bottom + margin;
}
