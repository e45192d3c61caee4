// whole(width) names the faults of a page of that width: what sticks out of the window,
// text that is cut off or has to be scrolled sideways, prices that are not on the screen,
// and text that overlaps other text.
function whole(width) {
  const faults = new Set();
  const words = (e) => (e.textContent ?? e.value ?? "").trim().replace(/\s+/g, " ").slice(0, 60);
  const call = (e) => e.localName + (e.id ? "#" + e.id : "") + [...e.classList].map((c) => "." + c).join("");
  const fault = (what, e, text) => faults.add(what + ": " + call(e.parentElement) + " > " + call(e) + " “" + (text ?? words(e)) + "”");

  // Text for screen readers, and pictures that the text beside them puts into words, need not be visible. Programs, and
  // a customer's own table with all its columns, are scrolled.
  const hides = (e) => e.namespaceURI.endsWith("svg") || e.matches("pre, .timeline, .setup-records, .skip") ||
    getComputedStyle(e).clipPath === "inset(50%)";
  const unseenBefore = new Map(); // thousands of texts have the same elements around them
  const unseen = (e) => {
    if (!e || e === document.body) return false;
    if (!unseenBefore.has(e)) unseenBefore.set(e, hides(e) || unseen(e.parentElement));
    return unseenBefore.get(e);
  };
  const stays = new Map();
  const staying = (e) => {
    if (!stays.has(e)) stays.set(e, ["fixed", "sticky"].includes(getComputedStyle(e).position));
    return stays.get(e);
  };
  const clips = new Map();
  const clipping = (e) => {
    if (!clips.has(e)) {
      const style = getComputedStyle(e);
      const clip = style.display !== "inline" && style.display !== "contents" && (style.overflowX !== "visible" || style.overflowY !== "visible") ? style : null;
      clips.set(e, clip);
    }
    return clips.get(e);
  };

  if (document.documentElement.scrollWidth > width) {
    faults.add("the page is " + document.documentElement.scrollWidth + " wide");
    for (const e of document.body.querySelectorAll("*")) {
      if (e.getBoundingClientRect().right > width + 1 && !e.children.length && e.checkVisibility() && !unseen(e)) fault("beyond the edge", e);
    }
  }

  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.data.trim()) continue;
    const e = node.parentElement;
    if (e.matches("script, style, noscript, option, title, datalist *") || !e.checkVisibility({ visibilityProperty: true }) || unseen(e)) continue;
    range.selectNodeContents(node);
    let boxes = [...range.getClientRects()].filter((r) => r.width > 1);
    if (!boxes.length) continue;
    const fixed = [];
    for (let up = e; up && up !== document.body; up = up.parentElement) {
      const clip = clipping(up);
      if (staying(up)) fixed.push(up);
      if (!clip) continue;
      const edge = up.getBoundingClientRect();
      const scrolls = clip.overflowY === "auto" || clip.overflowY === "scroll";
      const cut = boxes.some((r) => r.right > edge.right + 1 || r.left < edge.left - 1 || (!scrolls && (r.bottom > edge.bottom + 3 || r.top < edge.top - 3)));
      // An ellipsis says that there is more, and the title says what. Names, ranks and prices must not have one.
      const said = (clip.textOverflow === "ellipsis" || clip.webkitLineClamp !== "none") && e.closest("[title]") && !e.closest("th, .rank, .number, .price");
      if (cut && said) {
        const within = (r) => ({
          left: Math.max(r.left, edge.left), right: Math.min(r.right, edge.right),
          top: Math.max(r.top, edge.top), bottom: Math.min(r.bottom, edge.bottom),
        });
        boxes = boxes.map(within).filter((r) => r.right > r.left && r.bottom > r.top);
        break;
      }
      if (cut) fault("cut", e, node.data.trim().slice(0, 60));
    }
    if (boxes.some((r) => r.left < -1 || r.right > width + 1)) fault("beyond the edge", e, node.data.trim().slice(0, 60));
    if (!fixed.length) texts.push({ e, node, boxes });
  }

  // Fields show all of their value or placeholder.
  const ink = document.createElement("canvas").getContext("2d");
  for (const field of document.querySelectorAll("input:not([type=hidden], [type=checkbox], [type=radio], [type=date], [type=datetime-local], [type=file]), select")) {
    if (!field.checkVisibility() || unseen(field)) continue;
    const style = getComputedStyle(field);
    const text = field.localName === "select" ? field.selectedOptions[0]?.text ?? "" : field.value || field.placeholder;
    // The shorthand is empty where figures are tabular, and the canvas then keeps its 10 px.
    ink.font = [style.fontWeight, style.fontSize, style.fontFamily].join(" ");
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const takes = ink.measureText(field.type === "password" ? "" : text).width;
    if (takes > room + 1) fault("cut by " + Math.ceil(takes - room) + " px", field, text);
  }

  // An offer keeps its distance from the edge of its row.
  for (const end of document.querySelectorAll(".offer > summary .end")) {
    const row = end.closest("summary");
    const edge = row.getBoundingClientRect().right - parseFloat(getComputedStyle(row).paddingRight);
    range.selectNodeContents(end.querySelector(".at"));
    if (end.checkVisibility() && range.getBoundingClientRect().right > edge + 1) fault("beyond its row", end);
  }

  // Prices are on the screen wherever there is a list of them, but for what is folded away.
  const folded = "details:not([open]) > :not(summary), tbody:has(.fold > input:not(:checked))";
  for (const price of document.querySelectorAll(".offer > summary .price, td.number")) {
    if (!price.closest(folded) && !price.checkVisibility() && price.textContent.trim()) fault("not shown", price);
  }

  // Text over text, and fields over fields.
  const flat = texts.flatMap(({ e, boxes }) => boxes.map((r) => ({ e, r })));
  for (const e of document.querySelectorAll("input:not([type=hidden]), select, button, a.button")) {
    const r = e.getBoundingClientRect();
    if (r.width > 2 && e.checkVisibility() && !unseen(e)) flat.push({ e, r });
  }
  flat.sort((a, b) => a.r.top - b.r.top);
  flat.forEach((a, i) => {
    for (let j = i + 1; j < flat.length && flat[j].r.top < a.r.bottom - 3; j++) {
      const b = flat[j];
      if (a.e.contains(b.e) || b.e.contains(a.e)) continue;
      const wide = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left);
      const high = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
      if (wide <= 2 || high <= 3) continue;
      // A menu, a list of suggestions or a bar at the window's edge may cover the page for a while.
      const above = (e) => { for (; e && e !== document.body; e = e.parentElement) if (["absolute", "fixed", "sticky"].includes(getComputedStyle(e).position)) return true; };
      if (above(a.e) || above(b.e)) continue;
      fault("lies over " + call(b.e) + " “" + words(b.e).slice(0, 30) + "”", a.e);
    }
  });
  return [...faults].slice(0, 12).join("\n");
}
