// The state after the chosen step: shared variables, locks, threads.

function variableRow(variable) {
  const unknown = variable.value === null || variable.value === "";
  return element(
    "tr",
    { class: variable.changed ? "changed" : null },
    element("td", {}, element("code", {}, variable.name)),
    element("td", {}, element("code", { class: "value" }, unknown ? "?" : variable.value)),
  );
}

function lockRow([lock, owners]) {
  return element(
    "tr",
    { class: owners.length ? "held" : null },
    element("td", {}, element("code", {}, lock)),
    element("td", {}, owners.length ? owners.map(thread => "T" + thread).join(", ") : "free"),
  );
}

function standsAt(thread, row, alive) {
  if (!row) return "not started";
  if (!alive.has(thread.number) || (row.op === "end" && !row.end)) return "ended";
  const place = row.file ? `${baseName(row.file)}:${row.line}` : "?";
  return row.function && row.function !== thread.name ? `${place} in ${row.function}` : place;
}

function threadRow(trace, thread, row, chosen) {
  return element(
    "tr",
    { class: row === trace.rows[chosen] ? "changed" : null },
    element("td", {}, `T${thread.number} ${thread.name}`),
    element("td", {}, standsAt(thread, row, trace.rows[chosen].alive)),
    element("td", {}, row?.end ? withCode(row.what ?? "") : ""),
  );
}

function makeState() {
  const view = element("div", { class: "state" });
  const part = (title, content) => element("section", {}, element("h3", {}, title), content);
  return {
    view,
    show(trace, chosen) {
      const positions = positionsAt(trace, chosen);
      const variables = variablesAt(trace, chosen);
      const locks = [...locksAt(trace, chosen)];
      const shared = [...variables.filter(v => v.threads.size > 1), ...variables.filter(v => v.threads.size === 1)];
      view.replaceChildren(
        ...[
          shared.length ? part("Variables", table(["Name", "Value"], shared.map(variableRow))) : null,
          locks.length ? part("Locks", table(["Name", "Held by"], locks.map(lockRow))) : null,
          part(
            "Threads",
            table(
              ["Thread", "Stands at", ""],
              trace.threads.map(thread => threadRow(trace, thread, positions.get(thread.number), chosen)),
            ),
          ),
        ].filter(Boolean),
      );
    },
  };
}
