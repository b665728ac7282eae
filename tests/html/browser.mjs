// A browser, pages of reports in it, and checks that are counted.
import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";

const work = process.argv[2];
const shots = process.env.SHOTS;
const { chromium } = createRequire(work + "/")("playwright-core");
let browser;
let passed = 0;
let failed = 0;

export function check(what, good, detail = "") {
  if (good) passed++;
  else failed++;
  console.log(good ? `ok ${what}` : `FAIL ${what}: ${detail}`);
}

export function same(what, actual, expected) {
  check(
    what,
    JSON.stringify(actual) === JSON.stringify(expected),
    `${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`,
  );
}

export const desktop = { viewport: { width: 1400, height: 900 } };
export const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

// One report, opened from its file.  Errors in it and requests for anything else fail the test.
export async function withReport(name, settings, test) {
  const context = await browser.newContext(settings);
  const page = await context.newPage();
  page.setDefaultTimeout(5000);
  page.on("pageerror", error => check(`${name}: no error in the page`, false, error.stack));
  page.on("console", message => message.type() === "error" && check(`${name}: quiet console`, false, message.text()));
  page.on(
    "request",
    request => request.url().startsWith("file:") || check(`${name}: no network`, false, request.url()),
  );
  try {
    await page.goto(`file://${work}/${name}.html`);
    await test(page);
  } catch (error) {
    check(name, false, error.stack);
  }
  await context.close();
}

export async function picture(page, name) {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
}

// Nothing sticks out of the page at the side.
export async function fits(page, what) {
  const [inner, outer] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  check(`${what}: as wide as the screen`, inner <= outer, `${inner} > ${outer}`);
}

export async function runTests(tests) {
  if (shots) mkdirSync(shots, { recursive: true });
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  for (const test of tests) await test();
  await browser.close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}
