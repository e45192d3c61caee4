// What pages do better with a script. Everything also works without it. Each part finds
// its elements by a data attribute, and costs nothing on a page without them.
import { combobox } from "../shell/scripts/combobox.js";
import { adopt } from "../shell/scripts/morph.js";
import { live } from "../shell/scripts/live.js";
import { keys } from "../shell/scripts/keys.js";
import { clocks } from "../shell/scripts/clocks.js";
import { stream } from "../shell/scripts/stream.js";
import { later } from "../shell/scripts/later.js";
import { swap } from "../shell/scripts/swap.js";
import { book } from "../flights/scripts/book.js";
import { map } from "../crew/scripts/map.js";
import { board } from "../crew/scripts/board.js";
import { setup } from "../feeds/scripts/setup.js";
import { upload } from "../feeds/scripts/upload.js";
import { ticks } from "../shell/scripts/ticks.js";
import { copy } from "../report/scripts/copy.js";
import { reveal } from "../shell/scripts/reveal.js";

// enhance is called for the document and again for every part that is put in later.
function enhance(root) {
  combobox(root);
  clocks(root);
  stream(root, enhance);
  book(root);
  upload(root);
  ticks(root);
  board(root);
  copy(root);
  later(enhance);
}

for (const part of document.querySelectorAll("nav.nav, main")) adopt(part);
enhance(document);
keys();
map();
// After a form was refused, the field to correct gets the focus. Without one, the reason has it already.
document.querySelector('[aria-invalid="true"], p.wrong')?.focus();
swap(enhance);
reveal();
setup();
live(enhance);
