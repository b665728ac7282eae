// Draws the order of locks: an arrow leads from a held lock to one that is waited for, from left to right where
// possible.  Locks on a cycle are marked.

const GRAPH = { height: 26, columnGap: 64, rowGap: 18, margin: 24, letter: 7.3, most: 80 };

function outgoing(edges) {
  const out = new Map();
  for (const edge of edges) out.set(edge.from, [...(out.get(edge.from) ?? []), edge]);
  return name => out.get(name) ?? [];
}

function reaches(out, from, to) {
  const seen = new Set([from]);
  const waiting = [from];
  while (waiting.length)
    for (const edge of out(waiting.pop())) {
      if (edge.to === to) return true;
      if (seen.has(edge.to)) continue;
      seen.add(edge.to);
      waiting.push(edge.to);
    }
  return false;
}

// Returns the length of the longest path from a lock that no arrow leads to; edges that close a cycle do not count.
function layersOf(names, out) {
  const mark = new Map();
  const order = [];
  const back = new Set();
  const visit = name => {
    mark.set(name, "open");
    for (const edge of out(name)) {
      if (mark.get(edge.to) === "open") back.add(edge);
      else if (!mark.has(edge.to)) visit(edge.to);
    }
    mark.set(name, "done");
    order.unshift(name);
  };
  for (const name of names) if (!mark.has(name)) visit(name);
  const layer = new Map(names.map(name => [name, 0]));
  for (const name of order)
    for (const edge of out(name))
      if (!back.has(edge)) layer.set(edge.to, Math.max(layer.get(edge.to), layer.get(name) + 1));
  return layer;
}

function shortName(name) {
  return name.length > 28 ? name.slice(0, 27) + "…" : name;
}

// Arrows that skip layers pass above the boxes; the longer the arrow, the higher.
function lift(layers) {
  return layers > 1 ? 10 + 10 * layers : 0;
}

function placesOf(names, layer, top) {
  const places = new Map();
  let x = GRAPH.margin;
  let lowest = 0;
  for (let k = 0; k <= Math.max(...layer.values()); k++) {
    const column = names.filter(name => layer.get(name) === k);
    const width = Math.max(...column.map(name => shortName(name).length)) * GRAPH.letter + 24;
    column.forEach((name, row) => {
      const y = top + row * (GRAPH.height + GRAPH.rowGap);
      places.set(name, { x, y, width, layer: k });
      lowest = Math.max(lowest, y + GRAPH.height);
    });
    x += width + GRAPH.columnGap;
  }
  return { places, width: x - GRAPH.columnGap + GRAPH.margin, height: lowest + GRAPH.margin + 12 };
}

function arrowPath(from, to) {
  const middle = GRAPH.height / 2;
  if (from === to) {
    const x = from.x + from.width / 2;
    return `M ${x - 10} ${from.y} C ${x - 18} ${from.y - 20} ${x + 18} ${from.y - 20} ${x + 10} ${from.y - 1}`;
  }
  if (to.layer > from.layer + 1) {
    const height = Math.min(from.y, to.y) - lift(to.layer - from.layer);
    const start = from.x + from.width / 2;
    const end = to.x + to.width / 2;
    return `M ${start} ${from.y} C ${start} ${height} ${end} ${height} ${end} ${to.y - 2}`;
  }
  if (to.layer > from.layer) {
    const start = from.x + from.width;
    const bend = (to.x - start) / 2;
    const [y, end] = [from.y + middle, to.y + middle];
    return `M ${start} ${y} C ${start + bend} ${y} ${to.x - bend} ${end} ${to.x - 2} ${end}`;
  }
  const depth = Math.max(from.y, to.y) + GRAPH.height + 22;
  const start = from.x + from.width / 2;
  const end = to.x + to.width / 2;
  return `M ${start} ${from.y + GRAPH.height} C ${start} ${depth} ${end} ${depth} ${end} ${to.y + GRAPH.height + 2}`;
}

function graphNode(name, { x, y, width }, circle) {
  return drawing(
    "g",
    { class: circle ? "node circle" : "node" },
    drawing("title", {}, name),
    drawing("rect", { x, y, width, height: GRAPH.height, rx: 4 }),
    drawing(
      "text",
      { x: x + width / 2, y: y + GRAPH.height / 2, "text-anchor": "middle", "dominant-baseline": "central" },
      shortName(name),
    ),
  );
}

function arrowHead(id) {
  return drawing(
    "marker",
    { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" },
    drawing("path", { d: "M 0 0 L 8 4 L 0 8 z", class: id }),
  );
}

function drawGraph(edges, circles) {
  const names = [...new Set(edges.flatMap(edge => [edge.from, edge.to]))];
  const out = outgoing(edges);
  const layer = layersOf(names, out);
  const longest = Math.max(...edges.map(edge => layer.get(edge.to) - layer.get(edge.from)));
  const { places, width, height } = placesOf(names, layer, GRAPH.margin + lift(longest));
  const marked = new Set(circles.flatMap(edge => [edge.from, edge.to]));
  return drawing(
    "svg",
    {
      class: "graph",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": "Order of locks; the table below says the same",
    },
    drawing("defs", {}, arrowHead("arrow"), arrowHead("arrow-circle")),
    edges.map(edge => {
      const circle = circles.includes(edge);
      return drawing(
        "path",
        {
          class: circle ? "edge circle" : "edge",
          d: arrowPath(places.get(edge.from), places.get(edge.to)),
          "marker-end": circle ? "url(#arrow-circle)" : "url(#arrow)",
        },
        drawing("title", {}, `${edge.from} → ${edge.to}, ${edge.file ?? "?"}:${edge.line}`),
      );
    }),
    names.map(name => graphNode(name, places.get(name), marked.has(name))),
  );
}

// Puts the drawing into the element that the plain report has for it.
function showGraph(edges) {
  const place = document.getElementById("graph");
  const out = outgoing(edges);
  if (!place) return;
  const circles = edges.filter(edge => edge.from === edge.to || reaches(out, edge.to, edge.from));
  const shown = edges.length > GRAPH.most ? circles.slice(0, GRAPH.most) : edges;
  if (shown.length) place.append(element("div", { class: "wide" }, drawGraph(shown, circles)));
  const hint = circles.length
    ? "An arrow leads from a held lock to one that is waited for; marked ones can be taken in a circle."
    : "An arrow leads from a held lock to one that is waited for. There is no circle.";
  place.append(
    element(
      "p",
      { class: "hint" },
      hint,
      shown.length < edges.length ? " The drawing leaves out arrows; the table has all." : "",
    ),
  );
}
