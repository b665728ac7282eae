// What paper needs beyond the plain report: open details, and the source around the lines that goals and locks mention.

const AROUND = 6;

function mentionedLines(report) {
  const lines = new Map();
  const add = ({ file, line }) => {
    if (file) lines.set(file, (lines.get(file) ?? new Set()).add(line));
  };
  for (const goal of report.goals) [...goal.locations, ...goal.trace].forEach(add);
  report.lock_order.forEach(add);
  return lines;
}

function excerptOf(source, lines) {
  const near = number => [...lines].some(line => Math.abs(line - number) <= AROUND);
  const parts = [];
  for (const { first, lines: texts } of source.parts)
    texts.forEach((text, k) => {
      const number = first + k;
      const last = parts.at(-1);
      if (!near(number)) return;
      if (last && last.first + last.lines.length === number) last.lines.push(text);
      else parts.push({ first: number, lines: [text] });
    });
  return { file: source.file, parts };
}

function paperSource(report, sources) {
  const mentioned = mentionedLines(report);
  const files = sources.filter(source => mentioned.has(source.file) && source.parts.length);
  return element(
    "section",
    { id: "paper" },
    element("h2", {}, "Source"),
    files
      .map(source => [
        element("h3", {}, source.file),
        element("div", { class: "code" }, sourceLines(excerptOf(source, mentioned.get(source.file)), new Map())),
      ])
      .flat(),
  );
}

function preparePaper(report, sources) {
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details")) part.open = true;
    if (sources.length && !document.getElementById("paper"))
      document.querySelector("main").append(paperSource(report, sources));
  });
}
