// What a goal says besides its interleaving: where the threads are, how they got there, what they hold.

function placeLink(file, line) {
  if (!file) return "an unknown place";
  return element(
    "a",
    { class: "place", href: `#at:${encodeURIComponent(file)}:${line}`, title: file },
    `${baseName(file)}:${line}`,
  );
}

function lockText(held) {
  return [
    held.perhaps ? "perhaps " : "",
    element("code", {}, held.lock),
    held.reads ? " for reading" : "",
    " (taken at ",
    placeLink(held.file, held.line),
    held.then.length ? "; then taken: " + held.then.join(", ") : "",
    ")",
  ];
}

function joined(parts, separator) {
  return parts.flatMap((part, k) => (k ? [separator, part] : [part])).flat();
}

function sideItem(side) {
  const calls = side.stack.map(call =>
    [element("code", {}, call.function), call.file ? [" (at ", placeLink(call.file, call.line), ")"] : []].flat(),
  );
  return element(
    "li",
    {},
    `T${side.thread} `,
    element("code", {}, side.entry ?? "?"),
    side.several ? ", one of several" : "",
    side.created ? [", created at ", placeLink(side.created.file, side.created.line)] : [],
    ": ",
    withCode(side.what ?? "stands"),
    " at ",
    placeLink(side.file, side.line),
    element(
      "div",
      { class: "hint" },
      side.held.length ? ["holds ", ...joined(side.held.map(lockText), ", ")] : "holds no locks",
    ),
    calls.length > 1 ? element("div", { class: "hint" }, "called: ", joined(calls, " › ")) : null,
  );
}

function locationItem(location) {
  return element(
    "li",
    {},
    `T${location.thread} `,
    location.function ? ["in ", element("code", {}, location.function), " "] : [],
    "at ",
    placeLink(location.file, location.line),
    location.what ? [": ", ...withCode(location.what)] : [],
  );
}

// The same words as in the plain report.
function explanationOf(goal) {
  const plain = [...document.querySelectorAll("#plain [data-goal]")].find(part => part.dataset.goal === goal.id);
  const lines = [...(plain?.querySelectorAll(".explanation") ?? [])];
  return lines.map(line => element("p", { class: "explanation" }, withCode(line.textContent)));
}

function goalDetails(goal) {
  const parts = goal.sides?.length ? goal.sides.map(sideItem) : goal.locations.map(locationItem);
  return [
    element("ul", { class: "places" }, parts),
    ...explanationOf(goal),
    goal.no_trace ? element("p", { class: "hint" }, "No interleaving is shown: " + goal.no_trace) : null,
    goal.certainty === "possible" && goal.trace.length
      ? element(
          "p",
          { class: "hint" },
          "An interleaving that the locks allow; data, pointers and other ways of waiting were not looked at.",
        )
      : null,
  ].filter(Boolean);
}
