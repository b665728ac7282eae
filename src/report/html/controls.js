// Buttons and keys; both give commands to the workspace.  Left and right, n and p work everywhere except in controls
// that use these keys; the keys that scroll a page move through the steps only while the steps have the focus.

const KEYS = {
  ArrowRight: "next",
  ArrowLeft: "previous",
  n: "nextSwitch",
  p: "previousSwitch",
  "?": "help",
  "]": "nextGoal",
  "[": "previousGoal",
};
const KEYS_ON_STEPS = { ...KEYS, ArrowDown: "next", ArrowUp: "previous", Home: "first", End: "last" };

// `reveal ()` scrolls the result of a command into view.
function listenToKeys(commands, reveal) {
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, dialog")) return;
    const command = (event.target.closest(".steps") ? KEYS_ON_STEPS : KEYS)[event.key];
    if (!command) return;
    event.preventDefault();
    reveal();
    commands[command]();
  });
}

function controlBar(commands) {
  const button = (command, sign, name) =>
    element(
      "button",
      { type: "button", "data-command": command, "aria-label": name, title: name, onclick: commands[command] },
      sign,
    );
  const position = element("output", { class: "position" });
  return {
    position,
    view: element(
      "div",
      { class: "controls", role: "toolbar", "aria-label": "Steps" },
      button("first", "⇤", "First step (Home)"),
      button("previousSwitch", "↞", "Previous context switch (p)"),
      button("previous", "←", "Previous step (left)"),
      position,
      button("next", "→", "Next step (right)"),
      button("nextSwitch", "↠", "Next context switch (n)"),
      button("last", "⇥", "Where it goes wrong (End)"),
      button("help", "?", "Keys (?)"),
    ),
  };
}

function helpDialog() {
  const keys = [
    ["→ ←", "next, previous step (also ↓ ↑ while the steps have the focus)"],
    ["n p", "next, previous context switch"],
    ["Home End", "first step, where it goes wrong (while the steps have the focus)"],
    ["] [", "next, previous goal with a trace"],
    ["?", "this help"],
    ["Esc", "close it"],
  ];
  return element(
    "dialog",
    { "aria-label": "Keys" },
    element("h2", {}, "Keys"),
    element(
      "table",
      {},
      element(
        "tbody",
        {},
        keys.map(([key, text]) =>
          element(
            "tr",
            {},
            element(
              "td",
              {},
              key
                .split(" ")
                .map(one => [element("kbd", {}, one), " "])
                .flat(),
            ),
            element("td", {}, text),
          ),
        ),
      ),
    ),
    element(
      "p",
      { class: "hint" },
      "A click on a step shows its source line; a click on a marked source line goes to the next step there.",
    ),
    element("form", { method: "dialog" }, element("button", { type: "submit", autofocus: true }, "Close")),
  );
}
