// Shows one goal at a time: its interleaving beside the source and the state, and the controls that step through it.

function nowText(row, text) {
  return [
    `${row.end ? "Where it goes wrong" : "Step " + row.step}: thread ${row.thread}`,
    row.function ? ` in ${row.function}` : "",
    row.file ? [", ", placeLink(row.file, row.line)] : [],
    row.held.length ? ", holds " + row.held.join(", ") : "",
    row.note ? ", " + row.note : "",
    row.mark ? "; " + row.mark : "",
    row.back ? "; " + row.back : "",
    text ? element("code", {}, text) : "",
  ].flat();
}

class Workspace {
  constructor(goals, sources) {
    this.goals = goals;
    this.goal = this.trace = this.lanes = null; // trace and lanes: null if the goal has no steps
    this.chosen = 0; // row of the trace
    this.commands = this.makeCommands();
    this.state = makeState();
    this.source = makeSource(sources, (file, line) => this.chooseLine(file, line));
    this.bar = controlBar(this.commands);
    this.dialog = helpDialog();
    this.title = element("h2", {}, "Source");
    this.details = element("div", { class: "details" });
    this.now = element("p", { class: "now", "aria-live": "polite" });
    this.left = element("div", { class: "left" });
    this.section = element(
      "section",
      { id: "trace", class: "no-trace" },
      this.title,
      this.details,
      this.bar.view,
      this.now,
      element(
        "div",
        { class: "panels" },
        this.left,
        element("div", { class: "right" }, this.source.view, this.state.view),
      ),
      this.dialog,
    );
  }

  makeCommands() {
    const step = row => () => {
      if (this.trace) this.choose(row());
    };
    return {
      first: step(() => 0),
      previous: step(() => this.chosen - 1),
      next: step(() => this.chosen + 1),
      last: step(() => this.endRow()),
      previousSwitch: step(() => this.nearestSwitch(-1)),
      nextSwitch: step(() => this.nearestSwitch(1)),
      previousGoal: () => this.openNeighbour(-1),
      nextGoal: () => this.openNeighbour(1),
      help: () => this.dialog.showModal(),
    };
  }

  endRow() {
    const first = this.trace.rows.findIndex(row => row.end);
    return first < 0 ? this.trace.rows.length - 1 : first;
  }

  nearestSwitch(direction) {
    const rows = this.trace.rows;
    let k = this.chosen + direction;
    while (k > 0 && k < rows.length - 1 && !rows[k].switched) k += direction;
    return k;
  }

  // Chooses the next step on this line after the chosen one; after the last step, the search begins again.
  chooseLine(file, line) {
    const rows = this.trace.rows;
    for (let k = 1; k <= rows.length; k++) {
      const next = (this.chosen + k) % rows.length;
      if (rows[next].file === file && rows[next].line === line) return this.choose(next);
    }
  }

  choose(k) {
    this.showStep(k);
    history.replaceState(null, "", `#${encodeURIComponent(this.goal.id)}/${this.chosen + 1}`);
  }

  showStep(k) {
    const rows = this.trace.rows;
    this.chosen = Math.max(0, Math.min(k, rows.length - 1)) || 0;
    const row = rows[this.chosen];
    this.lanes.show(this.chosen);
    this.source.show(row.file, row.line, positionsAt(this.trace, this.chosen), row.end);
    this.state.show(this.trace, this.chosen);
    this.bar.position.textContent = `${this.chosen + 1} / ${rows.length}`;
    this.now.replaceChildren(...nowText(row, row.text ?? this.source.textOf(row.file, row.line)));
  }

  openNeighbour(direction) {
    const goals = this.goals.filter(canOpen);
    const next = goals[goals.indexOf(this.goal) + direction];
    if (next) location.hash = encodeURIComponent(next.id);
  }

  open(goal) {
    this.goal = goal;
    this.trace = goal.trace.length ? makeTrace(goal) : null;
    this.lanes = this.trace && makeLanes(this.trace, k => this.choose(k));
    this.title.replaceChildren(
      element("span", { class: "goal-id" }, goal.id),
      " ",
      ...withCode(goal.message ?? goal.status),
    );
    this.details.replaceChildren(...goalDetails(goal));
    this.left.replaceChildren(...(this.lanes ? [this.lanes.view] : []));
    this.section.classList.toggle("no-trace", !this.trace);
    this.source.use(this.trace);
    markGoal(goal.id);
  }

  show(id, k) {
    const goal = this.goals.find(one => one.id === id);
    if (goal !== this.goal) this.open(goal);
    if (this.trace) this.showStep(k);
    else if (goal.locations[0].file) this.source.show(goal.locations[0].file, goal.locations[0].line, []);
  }

  // Scrolls the steps into view and gives them the focus, unless another element has it.
  reveal() {
    const { top, bottom } = this.left.getBoundingClientRect();
    if (this.trace && (top > (innerHeight * 2) / 3 || bottom < innerHeight / 3))
      this.section.scrollIntoView({ block: "start" });
    if (document.activeElement === document.body) this.lanes?.list.focus({ preventScroll: true });
  }

  focus() {
    this.section.scrollIntoView({ block: "start" });
    this.lanes?.list.focus({ preventScroll: true });
  }

  showPlace(file, line) {
    this.source.show(file, line, this.trace ? positionsAt(this.trace, this.chosen) : []);
    this.source.view.scrollIntoView({ block: "nearest" });
  }
}
