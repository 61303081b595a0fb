// The texts of the scripts, in the reader's language (components/dialogs.html).
import { byId } from "./dom.js";

export const words = byId("words")?.dataset ?? {};

// fill("Line %n of %t", { n: 3, t: 9 })
export const fill = (text, values) =>
  Object.entries(values).reduce(
    (filled, [name, value]) => filled.replace(`%${name}`, () => value),
    text ?? "",
  );
