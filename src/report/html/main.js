// Puts the page together.  The address says what is shown, so that links and the browser's back button work: #GOAL,
// #GOAL/STEP, #at:FILE:LINE.

// Returns what the address names; empty if it names nothing that exists.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function followAddress(goals, workspace) {
  const hash = location.hash.slice(1);
  const place = /^at:(.*):(\d+)$/.exec(hash);
  if (place) return workspace.showPlace(decoded(place[1]), Number(place[2]));
  const [id, step] = hash.split("/");
  const goal = goals.find(one => one.id === decoded(id));
  if (!goal || !canOpen(goal)) return;
  workspace.show(goal.id, Number(step ?? 1) - 1);
  workspace.focus();
}

function linkPlaces() {
  for (const place of document.querySelectorAll("#locks span.place"))
    place.replaceWith(placeLink(place.dataset.file, place.dataset.line));
}

function start() {
  const { report, sources } = JSON.parse(document.getElementById("data").textContent);
  const goals = bySeverity(report.goals);
  const live = document.getElementById("live");
  live.append(goalsSection(goals));
  const first = goals.find(canOpen);
  if (first || sources.length) {
    const workspace = new Workspace(goals, sources);
    live.append(workspace.section);
    if (first) workspace.show(first.id, 0);
    else workspace.source.show(sources[0].file, null, []);
    linkPlaces();
    listenToKeys(workspace.commands, () => workspace.reveal());
    addEventListener("hashchange", () => followAddress(goals, workspace));
    followAddress(goals, workspace);
  }
  showGraph(report.lock_order);
  preparePaper(report, sources);
  document.documentElement.classList.add("live");
}

start();
