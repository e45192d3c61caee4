// Brings a page to what the server writes of it now. Only what the server has changed since it last wrote it changes:
// what a person typed, ticked or opened, and what scripts made, stays. While somebody works in a list its rows do not
// move: new ones wait, and those that are gone stay, struck through, until the reader asks for the list as it is.

import { clocks } from "./clocks.js";

const written = new WeakMap(); // what the server wrote of a node
const partly = new WeakSet(); // nodes of which something waits
let added, waits, all;

// What only this reader has.
export const own = "[data-own], input[name=once], input[name=opened-in]";

// What somebody is about to press changes once they have left it.
const held = "form[method=post]:is(:hover, :focus-within), :is(button, a.button):is(:hover, :focus)";

// adopt remembers a part as the server wrote it, before scripts change it.
export function adopt(node, from = node.cloneNode(true)) {
  if (node.matches?.(own)) return;
  written.set(node, from);
  const theirs = [...from.childNodes];
  [...node.childNodes].forEach((child, i) => (child.matches?.(own) ? theirs[i].remove() : adopt(child, theirs[i])));
}

// bring brings nodes to what the server wrote, in pairs, with everything also what would move. It returns how many
// rows are new and gone, and whether something else waits.
export function bring(pairs, enhance, everything) {
  [added, waits, all] = [[], { fresh: 0, gone: 0, late: false }, everything];
  const row = "main :is(tr, li)";
  const anchor = document.querySelector(row + ":hover") ?? document.activeElement?.closest(row);
  const top = anchor?.getBoundingClientRect().top;
  for (const [node, next] of pairs) morph(node, next);
  for (const form of document.querySelectorAll("main form[method=post]")) stamp(form);
  for (const node of added) if (node.isConnected) enhance(node);
  clocks(document);
  if (anchor?.isConnected) scrollBy(0, anchor.getBoundingClientRect().top - top);
  return waits;
}

function morph(node, next) {
  const was = written.get(node);
  if (!partly.has(node) && was.isEqualNode(next)) return rebase(node, next);
  if (!all && node.matches?.(held) && !node.querySelector("table, ul")) {
    waits.late = true;
    return partly.add(node);
  }
  written.set(node, next);
  partly.delete(node);
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (was.data !== next.data) node.data = next.data;
    return;
  }
  for (const { name, value } of next.attributes) {
    if (was.getAttribute(name) === value) continue;
    node.setAttribute(name, value);
    if (name === "title") node.removeAttribute("data-known"); // clocks.js adds the reader's time again
    if (name !== "data-stream") continue;
    node.removeAttribute("data-listening"); // a colleague searches again
    added.push(node);
  }
  for (const { name } of was.attributes) if (!next.hasAttribute(name)) node.removeAttribute(name);
  children(node, next);
}

const known = (node) => [...node.childNodes].filter((child) => written.has(child));

// rebase lets go of an earlier page that says the same.
function rebase(node, next) {
  written.set(node, next);
  const mine = known(node);
  if (mine.length === next.childNodes.length) mine.forEach((child, i) => rebase(child, next.childNodes[i]));
}

function children(node, next) {
  const mine = known(node);
  const pairs = match(mine, [...next.childNodes]);
  const left = new Set(mine);
  for (const [child] of pairs) left.delete(child);
  const busy = !all && node.matches("tbody, table, ul, ol") && working(node.closest("table") ?? node);
  for (const child of left) if (drop(child, busy)) partly.add(node);
  let last = null;
  for (let [child, theirs] of pairs) {
    if (child?.classList?.contains("gone")) child.replaceWith((child = fresh(theirs)));
    else if (child) morph(child, theirs);
    else if (busy) {
      if (node.closest("main")) waits.fresh += rows(theirs);
      waits.late = true;
      partly.add(node);
      continue;
    } else child = fresh(theirs);
    let at = last ? last.nextSibling : node.firstChild;
    while (at && (!written.has(at) || left.has(at))) at = at.nextSibling;
    if (at !== child && !busy) node.insertBefore(child, at);
    if (partly.has(child)) partly.add(node);
    last = child;
  }
}

function fresh(from) {
  const node = document.importNode(from, true);
  adopt(node, from);
  if (node.matches) added.push(node);
  return node;
}

// match finds the node of each of the server's: by its key, where nobody else has it, or else one that is the same, or
// else one between these.
function match(mine, theirs) {
  const [keyed, wanted] = [byKey(mine), byKey(theirs)];
  const alone = (node) => keyed.get(key(node)) !== null && wanted.get(key(node)) !== null && key(node);
  const others = mine.filter((node) => !alone(node));
  let from = 0;
  const pairs = theirs.map((next) => {
    if (alone(next)) return [keyed.get(key(next)), next];
    const i = next.matches ? others.findIndex((e, i) => i >= from && written.get(e).isEqualNode(next)) : -1;
    if (i >= 0) from = i + 1;
    return [others[i], next];
  });
  from = 0;
  pairs.forEach((pair, k) => {
    const [node, next] = pair;
    if (alone(next)) return;
    if (node) return void (from = others.indexOf(node) + 1);
    const to = others.indexOf(pairs.slice(k).find(([later]) => others.includes(later))?.[0]);
    const i = others.findIndex((e, i) => i >= from && (i < to || to < 0) && e.nodeName === next.nodeName);
    if (i >= 0) [pair[0], from] = [others[i], i + 1];
  });
  return pairs;
}

// byKey finds nodes by their keys; null: several have that key.
function byKey(nodes) {
  const found = new Map();
  for (const node of nodes) if (key(node)) found.set(key(node), found.has(key(node)) ? null : node);
  return found;
}

function key(node) {
  const link = () => node.querySelector("a[data-row]") ?? node.querySelector("a[href]");
  return node.matches && (node.id || node.dataset.key || (node.matches("tr, li") && link()?.getAttribute("href")));
}

// rows counts the records in a part of a list.
const rows = (part) => (part.matches?.("tr, li") ? [part] : [...(part.children ?? [])]).filter(key).length;

// working reports whether somebody works in a list.
function working(list) {
  return list.matches(":hover") || list.contains(document.activeElement) ||
    list.querySelector("details[open], .gone") !== null ||
    [...list.querySelectorAll("input[type=checkbox][name]")].some((box) => box.checked !== box.defaultChecked);
}

// drop takes away what the server no longer writes. It keeps, struck through, what would move rows that somebody works
// on or lose what they typed, and returns whether it did.
function drop(node, busy) {
  if (all || !node.matches || !(busy || typed(node) || node.querySelector(".gone"))) {
    node.remove();
    return false;
  }
  waits.gone++;
  (node.closest("tr, li") ?? node).classList.add("gone");
  for (const field of [node, ...node.querySelectorAll("input, button, select, textarea")]) {
    const ticked = field.checked;
    field.checked = false;
    field.disabled = true;
    if (ticked) field.dispatchEvent(new Event("change", { bubbles: true })); // it leaves the sum
  }
  return true;
}

function typed(node) {
  const fields = "input[name]:not([type=hidden]), textarea";
  const changed = (f) => f.checked !== f.defaultChecked ||
    (!"checkbox radio".includes(f.type) && f.value !== f.defaultValue);
  return (node.contains(document.activeElement) && document.activeElement.matches(fields)) ||
    [node, ...node.querySelectorAll(fields)].some((f) => f.matches(fields) && changed(f));
}

// stamp gives a form that came later what every form of a page has: writeStamped in page.go.
function stamp(form) {
  if (form.querySelector("input[name=once]")) return;
  const once = document.createElement("input");
  Object.assign(once, { type: "hidden", name: "once", value: crypto.getRandomValues(new Uint32Array(4)).join("") });
  const opened = document.querySelector("input[name=opened-in]");
  form.prepend(once, opened.cloneNode(true)); // the frame has one
}
