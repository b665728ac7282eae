// The list of goals, the worst first, with filters.  A goal with details can be opened.

const STATUSES = ["violated", "conditional", "possible", "unknown", "bounded", "proved"];
const PROPERTIES = ["memory", "uninit", "assert", "overflow", "race", "deadlock", "locks", "leak"];
const SHOWN_AT_FIRST = 60;

let openGoal = null; // id of the goal that is shown

function statusOf(goal) {
  return goal.certainty === "possible" ? "possible" : goal.status;
}

function bySeverity(goals) {
  const rank = goal => STATUSES.indexOf(statusOf(goal)) * PROPERTIES.length + PROPERTIES.indexOf(goal.property);
  return [...goals].sort((a, b) => rank(a) - rank(b) || (a.doubt ?? 0) - (b.doubt ?? 0));
}

function canOpen(goal) {
  return goal.trace.length > 0 || goal.locations.length > 0;
}

function goalRow(goal) {
  const status = statusOf(goal);
  const title = [
    element("span", { class: "goal-id" }, goal.id),
    " ",
    element("span", {}, withCode(goal.message ?? status)),
  ];
  const about = [
    goal.certainty === "confirmed" ? "confirmed by execution" : null,
    goal.certainty === "possible" ? "not excluded" : null,
    ...(goal.conditions ?? []).map(condition => "only if " + condition.text),
    goal.trace.length ? goal.trace.length + " steps" : null,
    goal.engine,
  ]
    .filter(Boolean)
    .join(" · ");
  const body = [
    element("span", { class: "status " + status }, status),
    element("span", { class: "goal-text" }, title),
    element("span", { class: "goal-about" }, about),
  ];
  return element(
    "li",
    { "data-goal": goal.id },
    canOpen(goal)
      ? element("a", { class: "goal", href: "#" + encodeURIComponent(goal.id) }, body)
      : element("div", { class: "goal" }, body),
  );
}

function countBy(goals, key) {
  const counts = new Map();
  for (const goal of goals) counts.set(key(goal), (counts.get(key(goal)) ?? 0) + 1);
  return counts;
}

function statusFilters(goals, change) {
  const counts = countBy(goals, statusOf);
  const choices = [["", "all", goals.length], ...STATUSES.filter(s => counts.has(s)).map(s => [s, s, counts.get(s)])];
  return element(
    "fieldset",
    { class: "chips" },
    element("legend", {}, "Status"),
    choices.map(([value, name, count]) =>
      element(
        "label",
        {},
        element("input", { type: "radio", name: "status", value, checked: value === "", onchange: change }),
        element("span", {}, name + " ", element("b", {}, String(count))),
      ),
    ),
  );
}

function propertyFilter(goals, change) {
  const properties = [...countBy(goals, goal => goal.property).keys()];
  if (properties.length < 2) return null;
  return element(
    "label",
    { class: "select" },
    "Property ",
    element(
      "select",
      { name: "property", onchange: change },
      element("option", { value: "" }, "all"),
      properties.map(property => element("option", { value: property }, property)),
    ),
  );
}

function goalsSection(goals) {
  const list = element("ol", { class: "goals" });
  const chosen = name => section.querySelector(`[name=${name}]:checked, select[name=${name}]`)?.value ?? "";
  const show = limit => {
    const fitting = goals.filter(
      goal =>
        (!chosen("status") || statusOf(goal) === chosen("status")) &&
        (!chosen("property") || goal.property === chosen("property")),
    );
    list.replaceChildren(...fitting.slice(0, limit).map(goalRow));
    if (fitting.length > limit)
      list.append(
        element(
          "li",
          {},
          element("button", { type: "button", onclick: () => show(Infinity) }, `show ${fitting.length - limit} more`),
        ),
      );
  };
  const change = () => {
    show(SHOWN_AT_FIRST);
    markGoal(openGoal);
  };
  const section = element(
    "section",
    { id: "goals" },
    element("h2", {}, "Goals"),
    element("form", { class: "filters" }, statusFilters(goals, change), propertyFilter(goals, change)),
    list,
  );
  change();
  return section;
}

function markGoal(id) {
  openGoal = id;
  for (const row of document.querySelectorAll("#goals [data-goal] a"))
    row.setAttribute("aria-current", row.parentNode.dataset.goal === id);
}
