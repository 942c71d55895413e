/** Rows of a keyboard, used to find adjacent keys. */
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Returns the optimal string alignment distance, or any number over `limit` if it exceeds it. */
export function distanceWithin(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      ) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      if (cost < best) best = cost;
    }
    if (best > limit) return best;
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** Returns how unlikely these edits are. Doubled, swapped and adjacent letters are cheap. */
export function editCost(typed: string, meant: string): number {
  let before: number[] = [];
  // Nothing was typed, so all letters are missing.
  let previous = [0];
  for (let j = 1; j <= meant.length; j += 1)
    previous.push(at(previous, j - 1) + extraCost(meant, j - 1));
  for (let i = 1; i <= typed.length; i += 1) {
    const row = [at(previous, 0) + extraCost(typed, i - 1)];
    for (let j = 1; j <= meant.length; j += 1) {
      const isTransposed =
        i > 1 && j > 1 && typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1];
      row.push(
        Math.min(
          at(previous, j) + extraCost(typed, i - 1),
          at(row, j - 1) + extraCost(meant, j - 1),
          at(previous, j - 1) + swapCost(typed.charAt(i - 1), meant.charAt(j - 1), i - 1),
          isTransposed ? at(before, j - 2) + TRANSPOSED : Infinity,
        ),
      );
    }
    before = previous;
    previous = row;
  }
  return at(previous, meant.length);
}

const TRANSPOSED = 0.6;
const at = (row: readonly number[], index: number) => row[index] ?? Infinity;

/** Returns the cost of an additional or missing letter. */
function extraCost(word: string, at: number): number {
  const letter = word.charAt(at);
  // Only the second letter of a pair: `jaggy` is not `jay`.
  if (letter === word.charAt(at - 1)) return 0.5;
  if (letter === "'") return 0.4;
  if (at === 0) return 1.4;
  if (letter === 'e' || letter === 'h' || letter === 'u') return 0.8;
  return 0.95;
}

const VOWELS = 'aeiouy';
const SOUND_ALIKE = new Set([
  'sc',
  'cs',
  'kc',
  'ck',
  'sz',
  'zs',
  'fp',
  'jg',
  'gj',
  'mn',
  'nm',
  'td',
  'dt',
  'kq',
  'qk',
  'ct',
  'tc',
  'vf',
  'fv',
]);

function swapCost(typed: string, meant: string, at: number): number {
  if (typed === meant) return 0;
  const initial = at === 0 ? 0.4 : 0;
  if (VOWELS.includes(typed) && VOWELS.includes(meant)) return 0.7 + initial;
  if (SOUND_ALIKE.has(typed + meant)) return 0.8 + initial;
  if (areNeighbours(typed, meant)) return 0.9 + initial;
  return 1.2 + initial;
}

function areNeighbours(a: string, b: string): boolean {
  for (const [index, row] of ROWS.entries()) {
    const at = row.indexOf(a);
    if (at < 0) continue;
    if (Math.abs(row.indexOf(b) - at) === 1 && row.includes(b)) return true;
    const below = ROWS[index + 1] ?? '';
    const above = ROWS[index - 1] ?? '';
    return [
      below.charAt(at),
      below.charAt(at - 1),
      above.charAt(at),
      above.charAt(at + 1),
    ].includes(b);
  }
  return false;
}
