// Shows source files with line numbers, light colouring of C and Boolean programs, the chosen line, and where each
// thread is.  A click on a line with steps of the trace chooses the next of these steps.

// `text`: the keywords of the language; `parts`: its other tokens.
const language = (text, parts) => ({
  keywords: new Set(text.split(/\s+/)),
  token: new RegExp(
    [/(?<comment>\/\/.*|\/\*.*?(?:\*\/|$))/, ...parts, /(?<number>\b\d[\w.]*)/, /(?<word>[A-Za-z_]\w*)/]
      .map(part => part.source)
      .join("|"),
    "g",
  ),
});
const C = language(
  `auto break case char const continue default do double else enum extern float for goto if inline int long register
  restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Alignas _Alignof
  _Atomic _Bool _Generic _Noreturn _Static_assert _Thread_local bool true false NULL`,
  [/(?<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)/, /(?<directive>^\s*#\s*\w+)/],
);
// A prime marks the next value of a variable.
const BOOLEAN_PROGRAM = language(
  `assert assume atomic_begin atomic_end begin bool constrain dead decl dfs do elif else elsif end
    end_thread enforce false fi
  goto if od return schoose skip start_thread then true void while T F`,
  [],
);
const languageOf = file => (file.endsWith(".bp") ? BOOLEAN_PROGRAM : C);

function tokenKind(match, keywords) {
  const kind = Object.keys(match.groups).find(name => match.groups[name] !== undefined);
  return kind !== "word" ? kind : keywords.has(match[0]) ? "keyword" : null;
}

// Colours one line.  `open`: the line begins inside a comment.  Returns whether the next line does.
function colouredLine(text, open, { keywords, token }) {
  const pieces = [];
  const put = (part, kind) => pieces.push(kind ? element("span", { class: kind }, part) : part);
  let at = 0;
  if (open) {
    const end = text.indexOf("*/");
    at = end < 0 ? text.length : end + 2;
    put(text.slice(0, at), "comment");
    open = end < 0;
  }
  const rest = text.slice(at);
  at = 0;
  for (const match of rest.matchAll(token)) {
    const kind = tokenKind(match, keywords);
    put(rest.slice(at, match.index));
    put(match[0], kind);
    at = match.index + match[0].length;
    open = kind === "comment" && match[0].startsWith("/*") && !/^\/\*.*\*\/$/.test(match[0]);
  }
  put(rest.slice(at));
  return { pieces, open };
}

function sourceLine(number, pieces, steps, pick) {
  const attributes = { class: steps ? "code-line touched" : "code-line", "data-line": number };
  if (steps) attributes.onclick = () => pick(number);
  const label = steps
    ? element("button", { type: "button", title: "steps here: " + steps }, String(number))
    : element("span", {}, String(number));
  return element(
    "div",
    attributes,
    element("span", { class: "marks" }),
    element("span", { class: "line-number" }, label),
    element("code", {}, pieces),
  );
}

// `stepsOn`: line -> number of steps there; `pick (line)` is called when such a line is clicked.
function sourceLines(source, stepsOn, pick) {
  const lines = [];
  const spoken = languageOf(source.file);
  for (const part of source.parts) {
    if (lines.length) lines.push(element("div", { class: "gap" }, "⋯"));
    let open = false;
    part.lines.forEach((text, k) => {
      const coloured = colouredLine(text, open, spoken);
      const number = part.first + k;
      open = coloured.open;
      lines.push(sourceLine(number, coloured.pieces, stepsOn.get(number), pick));
    });
  }
  if (!lines.length)
    lines.push(element("p", { class: "hint" }, "This file could not be read when the report was written."));
  return lines;
}

// The view has room for two files.
function threadMarks(threads) {
  const mark = (text, end, title) => element("span", { class: end ? "mark end" : "mark", title }, text);
  if (threads.length <= 2) return threads.map(({ thread, end }) => mark("T" + thread, end));
  const names = threads.map(one => "T" + one.thread).join(" ");
  const rest = threads.slice(1);
  return [
    mark("T" + threads[0].thread, threads[0].end),
    mark(
      "+" + rest.length,
      rest.every(one => one.end),
      names,
    ),
  ];
}

// `pick (file, line)` is called for a line with steps.
function makeSource(sources, pick) {
  const code = element("div", { class: "code", tabindex: 0, role: "region", "aria-label": "Source" });
  const choice = element(
    "select",
    { "aria-label": "Source file", onchange: () => open(choice.value) },
    sources.map(source => element("option", { value: source.file }, source.file)),
  );
  const view = element("div", { class: "source" }, element("div", { class: "panel-title" }, choice), code);
  let shown = null;
  let trace = null;
  const stepsOn = file => {
    const counts = new Map();
    for (const row of trace?.rows ?? []) if (row.file === file) counts.set(row.line, (counts.get(row.line) ?? 0) + 1);
    return counts;
  };
  const open = file => {
    if (shown === file) return;
    shown = file;
    choice.value = file;
    const source = sources.find(one => one.file === file) ?? { file, parts: [] };
    code.replaceChildren(...sourceLines(source, stepsOn(file), line => pick(file, line)));
  };
  const mark = positions => {
    for (const badges of code.querySelectorAll(".marks:not(:empty)")) badges.replaceChildren();
    const byLine = new Map();
    for (const [thread, row] of positions)
      if (row.file === shown) byLine.set(row.line, [...(byLine.get(row.line) ?? []), { thread, end: row.end }]);
    for (const [line, threads] of byLine)
      code.querySelector(`[data-line="${line}"] .marks`)?.append(...threadMarks(threads));
  };
  return {
    view,
    use(newTrace) {
      trace = newTrace;
      shown = null;
    },
    textOf(file, line) {
      const source = sources.find(one => one.file === file);
      return source?.parts
        .map(part => part.lines[line - part.first])
        .find(Boolean)
        ?.trim();
    },
    show(file, line, positions, end) {
      if (file) open(file);
      code.querySelector(".current")?.classList.remove("current", "end");
      const target = code.querySelector(`[data-line="${line}"]`);
      target?.classList.add("current", ...(end ? ["end"] : []));
      mark(positions);
      if (target) bringIntoView(code, target);
    },
  };
}
