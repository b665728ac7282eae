// What a reader does with a report: opens goals, steps through interleavings with keys and clicks, goes to the source.
import { check, desktop, fits, phone, picture, runTests, same, withReport } from "./browser.mjs";

// ---- what the page shows ----

const position = page => page.locator(".position").innerText();
const now = page => page.locator(".now").innerText();
const chosenStep = page => page.locator(".steps [aria-selected=true]").innerText();
const sourceLine = page => page.locator(".code .current").getAttribute("data-line");
const rows = (page, title) =>
  page
    .locator(".state section", { hasText: title })
    .locator("tbody tr")
    .evaluateAll(found => found.map(row => [...row.cells].map(cell => cell.innerText.trim())));
const variables = page => rows(page, "Variables").then(found => Object.fromEntries(found));
const locks = page => rows(page, "Locks").then(found => Object.fromEntries(found));

// Which interleaving of a bug is found may change; where its steps are can be read off the page.
const stepLines = page => page.locator(".steps .line").evaluateAll(found => found.map(line => line.textContent));
const sorted = table => Object.entries(table).sort();
const at = (lines, step) => `${step + 1} / ${lines.length}`;
// The next step on the line, from the beginning again after the last.
function stepAfter(lines, step, line) {
  const later = lines.indexOf(line, step + 1);
  return later < 0 ? lines.indexOf(line) : later;
}

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

// ---- the tests ----

const race = () =>
  withReport("race", desktop, async page => {
    check("race: verdict", (await page.locator("h1").innerText()).startsWith("Bug"));
    same("race: the worst goals come first", await page.locator(".goals .status").allInnerTexts(), [
      "violated",
      "violated",
      "proved",
      "proved",
      "proved",
    ]);
    same("race: and of these the more severe", (await page.locator(".goals .goal-id").allInnerTexts()).slice(0, 2), [
      "assert-1",
      "race-1",
    ]);
    check("race: the first goal is open", (await page.locator("#trace > h2").innerText()).startsWith("assert-1"));
    await press(page, "]");
    check(
      "race: ] opens the next",
      (await page.locator("#trace > h2").innerText()).startsWith("race-1 data race on count"),
    );
    same("race: begins at the first step", await position(page), "1 / 7");
    same("race: the first step's line", await sourceLine(page), "17");
    await press(page, "ArrowRight", "ArrowRight", "ArrowRight");
    same("race: right arrow", await position(page), "4 / 7");
    check("race: the step says what it reads", /read count = 0/.test(await chosenStep(page)), await chosenStep(page));
    same("race: its source line", await sourceLine(page), "10");
    same("race: the value", await variables(page), { count: "0" });
    await press(page, "End");
    check(
      "race: End goes where it goes wrong",
      (await now(page)).startsWith("Where it goes wrong: thread 1 in worker, counter.c:10"),
      await now(page),
    );
    check("race: that row is marked", (await page.locator(".steps li.end").count()) === 2);
    same("race: both threads stand at the line", await page.locator(".code .current .mark.end").allInnerTexts(), [
      "T1",
      "T2",
    ]);
    await press(page, "Home");
    same("race: Home", await position(page), "1 / 7");
    await press(page, "n");
    same("race: n goes to the next switch", await position(page), "3 / 7");
    await press(page, "n", "p", "p", "ArrowUp");
    same("race: p goes back", await position(page), "1 / 7");
    await press(page, "?");
    check("race: ? shows the keys", await page.locator("dialog").isVisible());
    await press(page, "Escape");
    check("race: Escape closes them", !(await page.locator("dialog").isVisible()));
    await fits(page, "race");
    await picture(page, "race-desktop");
  });

const clicks = () =>
  withReport("race", desktop, async page => {
    await page.getByText("race-1").first().click();
    await page.getByText("assert-1").first().click();
    check("clicks: another goal", (await page.locator("#trace > h2").innerText()).startsWith("assert-1"));
    const lines = await stepLines(page);
    let step = 9;
    await page.locator(".steps li").nth(step).click();
    same("clicks: a step", [await position(page), await sourceLine(page)], [at(lines, step), lines[step]]);
    check(
      "clicks: why it is a bug",
      /^why: count is 1 here/.test(await page.locator(".details .explanation").first().innerText()),
    );
    same("clicks: values after it", await variables(page), { count: "1" });
    await page.locator(".code [data-line='19']").click();
    step = stepAfter(lines, step, "19");
    same("clicks: a source line leads to the next step there", await position(page), at(lines, step));
    for (const what of ["and from there on", "again", "around the end", "and on"]) {
      await page.locator(".code [data-line='10'] button").click();
      step = stepAfter(lines, step, "10");
      same("clicks: " + what, await position(page), at(lines, step));
    }
    await page.locator(".details .place").first().click();
    same("clicks: a place leads to the source", await sourceLine(page), "21");
    await page.goBack();
    same("clicks: and back", [await position(page), await sourceLine(page)], [at(lines, step), "10"]);
    await page.reload();
    same("clicks: the address keeps the step", await position(page), at(lines, step));
    await page.locator("[data-command=last]").click();
    same("clicks: buttons", await position(page), at(lines, lines.length - 1));
  });

const filters = () =>
  withReport("race", desktop, async page => {
    await page.locator("input[name=status]").first().focus();
    await press(page, "ArrowRight");
    same("filters: the open goal stays marked", await page.locator('.goal[aria-current="true"]').count(), 1);
    await press(page, "ArrowRight");
    same("filters: by status, with keys", await page.locator(".goals .goal-id").allInnerTexts(), [
      "memory",
      "deadlock",
      "locks",
    ]);
    same("filters: keys there do not step", await position(page), "1 / 14");
    await page.locator("select[name=property]").selectOption("memory");
    same("filters: by property", await page.locator(".goals .goal-id").allInnerTexts(), ["memory"]);
  });

const deadlock = () =>
  withReport("deadlock", { ...desktop, colorScheme: "dark" }, async page => {
    await page.locator(".steps").focus();
    await press(page, "End");
    same("deadlock: four threads stand where it goes wrong", await page.locator(".steps li.end").count(), 4);
    same("deadlock: who holds which lock", sorted(await locks(page)), [
      ["fork_lock[0]", "T1"],
      ["fork_lock[1]", "T2"],
      ["fork_lock[2]", "T3"],
    ]);
    await press(page, "ArrowDown");
    check(
      "deadlock: what a thread waits for",
      /waits for fork_lock\[1\] held by thread 2/.test(await chosenStep(page)),
      await chosenStep(page),
    );
    same("deadlock: bars beside the lanes", await page.locator(".steps li.end").last().locator(".bar").count(), 3);
    const taking = (await page.locator(".steps li").allInnerTexts()).findIndex(text => /lock fork_lock/.test(text));
    await page.locator(".steps li").nth(taking).click();
    same(
      "deadlock: a lock is taken",
      sorted(await locks(page)).filter(([, holder]) => holder !== "free").length,
      1,
    );
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
    check("deadlock: dark", Math.max(...paper) < 64, paper);
    same("deadlock: order of locks", await page.locator(".graph .node").count(), 2);
    await page.locator("#locks a.place").first().click();
    same("deadlock: from the order to the source", await sourceLine(page), "15");
    await picture(page, "deadlock-dark");
  });

const assertion = () =>
  withReport("assert", phone, async page => {
    await fits(page, "assert on a phone");
    for (let k = 0; k < 11; k++) await page.locator("[data-command=next]").tap();
    same("assert: stepping by touch", await position(page), "12 / 26");
    same("assert: values", [await variables(page), await locks(page)], [{ items: "1" }, { m: "T1" }]);
    same("assert: source", await sourceLine(page), "17");
    check("assert: lanes are rails on a phone", !(await page.locator(".lanes.wide").count()));
    await page.locator("[data-command=last]").tap();
    check("assert: what goes wrong", /assertion items > 0 failed/.test(await chosenStep(page)), await chosenStep(page));
    same("assert: values then", await variables(page), { items: "0" });
    await picture(page, "assert-phone");
  });

const safe = () =>
  withReport("safe", desktop, async page => {
    check("safe: verdict", (await page.locator("h1").innerText()).startsWith("Safe"));
    same("safe: nothing to open", [await page.locator("a.goal").count(), await page.locator("#trace").count()], [0, 0]);
    check("safe: what protects count", /count\s+m/.test(await page.locator("table.protection").innerText()));
    await picture(page, "safe");
  });

const possible = () =>
  withReport("possible", desktop, async page => {
    same("possible: status", await page.locator(".goals .status").first().innerText(), "possible");
    same("possible: sides", await page.locator(".places > li").count(), 3);
    same("possible: locks in a circle", await page.locator(".graph .edge.circle").count(), 3);
    await page.locator(".steps").focus();
    await press(page, "End");
    same("possible: all three wait", await page.locator(".steps li.end").count(), 3);
    await picture(page, "possible");
  });

const orders = () =>
  withReport("orders", desktop, async page => {
    same("orders: source without a trace", await page.locator("#trace > h2").innerText(), "Source");
    same("orders: no circle", await page.locator(".graph .edge.circle").count(), 0);
    await page.locator("#locks a.place").first().click();
    check("orders: a place leads to the source", Number(await sourceLine(page)) > 0);
  });

const long = settings => async () =>
  withReport("long", settings, async page => {
    const where = `long, ${settings.viewport.width} wide`;
    await fits(page, where);
    const steps = Number((await position(page)).split("/ ")[1]);
    check(
      `${where}: 500 steps, 10 threads`,
      steps > 500 && (await page.locator(".lane-head .thread").count()) === 10,
      steps,
    );
    await page.locator(".steps").focus();
    for (let k = 0; k < 250; k++) await press(page, "ArrowDown");
    same(`${where}: 250 steps later`, await position(page), `251 / ${steps}`);
    const visible = await page.evaluate(() => {
      const box = document.querySelector(".lanes").getBoundingClientRect();
      const row = document.querySelector("[aria-selected=true]").getBoundingClientRect();
      return row.top >= box.top && row.bottom <= box.bottom;
    });
    check(`${where}: the step is in sight`, visible);
    const text = await page.locator("[aria-selected=true] .what").evaluate(what => what.clientWidth);
    check(`${where}: room for its text`, text > 140, text);
    await picture(page, `long-${settings.viewport.width}`);
    await press(page, "End");
    const { count, twice } = await variables(page);
    same(`${where}: values at the end`, [count, twice], ["54", "108"]);
  });

const hostile = () =>
  withReport("hostile", desktop, async page => {
    check("hostile: nothing is executed", await page.evaluate(() => window.owned === undefined));
    same("hostile: no elements from text", await page.locator("img, b > script").count(), 0);
    check("hostile: shown as text", (await page.locator("#trace > h2").innerText()).includes("</script>"));
    check(
      "hostile: the source too",
      (await page.locator(".code").innerText()).includes("</script><script>window.owned"),
    );
    check("hostile: its name", (await page.locator("h1").innerText()).includes("<img src=x"));
  });

const withoutScript = () =>
  withReport("assert", { ...phone, javaScriptEnabled: false }, async page => {
    await fits(page, "without script");
    check("without script: goals", /violated\s+assert-1/.test(await page.locator("#plain table.goals").innerText()));
    same("without script: trace", await page.locator("#plain table.trace tbody tr").count(), 26);
    await picture(page, "without-script");
  });

const paper = () =>
  withReport("possible", desktop, async page => {
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    check(
      "paper: plain tables instead of panels",
      (await page.locator("#plain table.trace").isVisible()) && !(await page.locator(".lanes").isVisible()),
    );
    check(
      "paper: drawing, statistics and source",
      (await page.locator(".graph").isVisible()) &&
        (await page.locator("table.stats").isVisible()) &&
        (await page.locator("#paper").innerText()).includes("pthread_mutex_lock (second);"),
    );
  });

// A run that does not end: its loop is marked.
const lasso = () =>
  withReport("lasso", desktop, async page => {
    const again = page.locator(".steps li.again");
    check("lasso: some steps repeat, not all", (await again.count()) < (await page.locator(".steps li").count()));
    const marks = await page.locator(".loop-mark").allInnerTexts();
    same("lasso: marked where it begins and where it ends", marks.length, 2);
    check("lasso: begins", /from here on, again and again/.test(await again.first().innerText()), marks);
    const first = (await again.first().locator(".number").innerText()).trim();
    check("lasso: ends", (await again.last().innerText()).includes("then again from step " + first), marks);
    await picture(page, "lasso");
  });

// Its own words, and primes that are no quotation marks.
const boolean = () =>
  withReport("boolean", desktop, async page => {
    const words = await page.locator(".code .keyword").allInnerTexts();
    const keywords = ["decl", "begin", "constrain", "assert", "end"];
    check("boolean: keywords", keywords.every(word => words.includes(word)), words);
    same("boolean: no strings", await page.locator(".code .string").count(), 0);
    await picture(page, "boolean");
  });

runTests([
  race,
  clicks,
  filters,
  deadlock,
  lasso,
  boolean,
  assertion,
  safe,
  possible,
  orders,
  long(desktop),
  long(phone),
  hostile,
  withoutScript,
  paper,
]);
