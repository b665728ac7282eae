// Turns the trace of a goal into rows of the interleaving: the executed steps, then, marked as the end, the operations
// that the threads take next when the violation shows.  Each row knows which threads are alive and which thread holds
// which lock after it; the values of variables can be computed for any row.

const VERBS = { load: "read", store: "write", rmw: "update", cmpxchg: "compare-exchange" };
const ACCESSES = ["load", "store", "rmw", "cmpxchg"];

function verbOf(op) {
  return VERBS[op] ?? (op ?? "step").replaceAll("_", " ");
}

// Finds the step of the thread of each location that was not executed: its last one, near the end.
function lastSteps(goal) {
  const count = Math.min(goal.claim?.threads.length ?? goal.sides?.length ?? 0, goal.locations.length);
  return goal.locations.slice(0, count).map(location => {
    const from = Math.max(0, goal.trace.length - 2 * count);
    for (let k = goal.trace.length - 1; k >= from; k--) if (goal.trace[k].thread === location.thread) return k;
    return -1;
  });
}

function rowsOf(goal) {
  const last = lastSteps(goal);
  const ends = new Set(last);
  const taken = goal.trace
    .filter((step, k) => !ends.has(k))
    .map(step => ({ ...step, end: false, again: goal.loop_step != null && step.step >= goal.loop_step }));
  const loop = taken.filter(row => row.again);
  if (loop.length) loop[0].mark = "from here on, again and again";
  if (loop.length) loop.at(-1).back = "then again from step " + goal.loop_step;
  const end = last.map((k, i) => ({ held: [], ...goal.trace[k], ...goal.locations[i], end: true }));
  return [...taken, ...end];
}

function threadsOf(rows) {
  const names = new Map([[0, "main"]]);
  for (const row of rows) if (!names.has(row.thread)) names.set(row.thread, row.function ?? "");
  const used = new Set(rows.map(row => row.thread));
  return [...used].sort((a, b) => a - b).map(number => ({ number, name: names.get(number) }));
}

function createdThread(row) {
  const match = row.op === "create" && /^thread (\d+)/.exec(row.value ?? "");
  return match ? Number(match[1]) : null;
}

function addLife(rows) {
  let alive = new Set([0]);
  const change = (thread, lives) => {
    if (alive.has(thread) === lives) return;
    alive = new Set(alive);
    if (lives) alive.add(thread);
    else alive.delete(thread);
  };
  for (const row of rows) {
    change(row.thread, true);
    if (createdThread(row) !== null) change(createdThread(row), true);
    row.alive = alive;
    if (row.op === "end" && !row.end) change(row.thread, false);
  }
}

// A held lock keeps its track, the position of its bar beside the lane, until it is released.
function tracksAfter(before, held) {
  const kept = before.filter(bar => held.includes(bar.lock)).map(bar => ({ ...bar, first: false }));
  for (const lock of held) {
    if (kept.some(bar => bar.lock === lock)) continue;
    let track = 0;
    while (kept.some(bar => bar.track === track)) track++;
    kept.push({ lock, track, first: true });
  }
  return kept;
}

function addBars(rows) {
  let bars = new Map();
  for (const row of rows) {
    const before = bars.get(row.thread) ?? [];
    if (before.length || row.held.length) {
      bars = new Map(bars);
      bars.set(row.thread, tracksAfter(before, row.held));
    }
    row.bars = bars;
  }
}

function makeTrace(goal) {
  const rows = rowsOf(goal);
  rows.forEach((row, k) => {
    row.switched = k > 0 && rows[k - 1].thread !== row.thread;
    row.from = k > 0 ? rows[k - 1].thread : row.thread;
  });
  addLife(rows);
  addBars(rows);
  const tracks = rows.reduce((most, row) => Math.max(most, row.held.length), 0);
  return { goal, rows, threads: threadsOf(rows), tracks };
}

// ---- the state after a row ----

function valueAfter(row) {
  const arrow = (row.value ?? "").lastIndexOf(" -> ");
  return arrow >= 0 ? row.value.slice(arrow + 4) : row.value;
}

// Returns the variables in the order of their first access.  A variable that is read before it is written had that
// value from the start.
function variablesAt(trace, chosen) {
  const variables = new Map();
  trace.rows.forEach((row, k) => {
    if (!row.object || !ACCESSES.includes(row.op)) return;
    const known = variables.get(row.object) ?? { name: row.object, value: null, changed: false, threads: new Set() };
    variables.set(row.object, known);
    known.threads.add(row.thread);
    if (row.end || row.value === undefined) return;
    if (k > chosen && (known.value !== null || row.op !== "load")) {
      known.value ??= "";
      return;
    }
    known.changed = k === chosen && row.op !== "load";
    known.value = valueAfter(row);
  });
  return [...variables.values()];
}

function locksAt(trace, chosen) {
  const locks = new Map();
  for (const row of trace.rows) for (const lock of row.held) locks.set(lock, []);
  for (const [thread, bars] of trace.rows[chosen].bars) for (const { lock } of bars) locks.get(lock).push(thread);
  return locks;
}

// Returns the position of each thread: its newest row up to the chosen one.  At the end, each thread is at the
// violation.
function positionsAt(trace, chosen) {
  const positions = new Map();
  const last = trace.rows[chosen].end ? trace.rows.length - 1 : chosen;
  for (let k = 0; k <= last; k++) positions.set(trace.rows[k].thread, trace.rows[k]);
  return positions;
}
