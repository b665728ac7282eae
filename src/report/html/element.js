// Makes all elements.  Text enters them as text, so nothing that a program contains can become markup.

const SVG = "http://www.w3.org/2000/svg";

function filled(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) node.style.setProperty(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter(child => child !== null && child !== undefined));
  return node;
}

// Properties: attributes; onNAME: a listener; --NAME: a variable of the style.
function element(name, properties = {}, ...children) {
  return filled(document.createElement(name), properties, children);
}

function drawing(name, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

function baseName(file) {
  return file.slice(file.lastIndexOf("/") + 1) || file;
}

// A message of lockstep, in which C text stands between backquotes.
function withCode(message) {
  return message.split("`").map((part, number) => (number % 2 ? element("code", {}, part) : part));
}

function table(titles, rows) {
  return element(
    "table",
    {},
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        titles.map(title => element("th", { scope: "col" }, title)),
      ),
    ),
    element("tbody", {}, rows),
  );
}
