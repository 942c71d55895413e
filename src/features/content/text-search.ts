/** The engine's own search takes linear time only for patterns up to this length (V8 shifts by 250 units at most). */
const ENGINE_UNITS = 250;
/** Places where only the beginning was found, before the search goes on in a way that no text can slow down. */
const PATIENCE = 32;

/** Finds the first occurrence at or after `from`; -1 where there is none. Offsets are UTF-16 units. */
export type Finder = (from: number) => number;

/** A search for `find`, which must not be empty, in `text`; each scan takes linear time whatever the two are. */
export function finderOf(text: string, find: string): Finder {
  if (find.length <= ENGINE_UNITS) return (from) => text.indexOf(find, from);
  const beginning = find.slice(0, ENGINE_UNITS);
  let patience = PATIENCE;
  let steadfast: Finder | undefined;
  return (from) => {
    let at = text.indexOf(beginning, from);
    while (at !== -1 && !text.startsWith(find, at)) {
      patience -= 1;
      if (patience < 0) return (steadfast ??= steadfastFinder(text, find))(at);
      at = text.indexOf(beginning, at + 1);
    }
    return at;
  };
}

/** Knuth, Morris and Pratt: never looks at a unit of the text twice. */
function steadfastFinder(text: string, find: string): Finder {
  const pattern = Uint16Array.from({ length: find.length }, (_, index) => find.charCodeAt(index));
  const fallback = fallbackTable(pattern);
  return (from) => {
    let matched = 0;
    for (let index = from; index < text.length; index += 1) {
      matched = advance(pattern, fallback, matched, text.charCodeAt(index));
      if (matched === pattern.length) return index + 1 - matched;
    }
    return -1;
  };
}

/** For each length of a matched beginning, the longest shorter beginning that it ends with. */
function fallbackTable(pattern: Uint16Array): Int32Array {
  const fallback = new Int32Array(pattern.length + 1);
  for (let index = 1; index < pattern.length; index += 1) {
    fallback[index + 1] = advance(pattern, fallback, fallback[index] ?? 0, pattern[index] ?? 0);
  }
  return fallback;
}

function advance(
  pattern: Uint16Array,
  fallback: Int32Array,
  matched: number,
  unit: number,
): number {
  let length = matched;
  while (length > 0 && pattern[length] !== unit) length = fallback[length] ?? 0;
  return pattern[length] === unit ? length + 1 : length;
}
