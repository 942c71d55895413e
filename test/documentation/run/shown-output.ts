/** Compares the output that a page shows with the output of this run. */

const ID =
  /\b(?:[a-z]{2,6})_[0-9a-hjkmnp-tv-z]{26}\b|\bds_live_\w{38}\b|\bwhsec_[\w+/]{20,}=*|#[\w-]{43}/g;
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)/g;
const COUNTED_HEADER = /^(?:X-RateLimit-|RateLimit|Retry-After).*$/gim;
/** Values that differ in each run and that readers do not rely on. */
const OPAQUE_MEMBERS = ['nextCursor', 'lastFour', 'retryAfter', 'durationMs', 'uptime'];
const OPAQUE = new RegExp(`("(?:${OPAQUE_MEMBERS.join('|')})":)(?:"[^"]*"|[\\d.]+)`, 'g');
/** Matches anything in a page's output. */
const ANYTHING = '…';

/** Returns the prefix of an ID, or `#` for the fragment of a link. */
const kindOf = (id: string): string => (id.startsWith('#') ? '#' : id.slice(0, id.indexOf('_')));

/** Maps IDs and keys on the page to those from the service. */
export class Substitutions {
  private readonly actual = new Map<string, string>();
  /** The last ID of each kind in the output so far. */
  private readonly last = new Map<string, string>();

  /** Remembers the IDs in output, and which of them the page shows: the first of its kind, the second, and so on. */
  hear(output: string, shown = ''): void {
    const given = [...new Set(output.match(ID))];
    for (const id of given) this.last.set(kindOf(id), id);
    for (const name of new Set(shown.match(ID))) {
      const known = [...this.actual.values()];
      const id = given.find((one) => kindOf(one) === kindOf(name) && !known.includes(one));
      if (id && !this.actual.has(name)) this.actual.set(name, id);
    }
  }

  /** Replaces IDs. One that no output has shown stands for the last of its kind. */
  apply(commands: string): string {
    return commands.replace(ID, (id) => this.actual.get(id) ?? this.last.get(kindOf(id)) ?? id);
  }
}

/** Returns a text without what differs in each run, and without white space. */
function comparable(text: string): string {
  return text
    .replace(COUNTED_HEADER, (line) => line.replaceAll(/\d+/g, '0'))
    .replace(ID, (id) => `${kindOf(id)}_ID`)
    .replace(MOMENT, 'MOMENT')
    .replace(/in \d+ seconds/g, 'in N seconds')
    .replaceAll(/\s+/g, '')
    .replace(OPAQUE, '$1OPAQUE');
}

/** Returns the pattern of a comparable text in which `…` stands for anything. */
function patternOf(text: string): string {
  const parts = comparable(text).split(ANYTHING);
  return parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*');
}

/** Returns the lines of the page that the output does not have. */
export function missingLines(shown: string, output: string): string[] {
  const given = comparable(output);
  return shown.split('\n').filter((line) => !new RegExp(patternOf(line)).test(given));
}

/** True if a program printed the value that a comment states, or, in a loop, the values with commas. */
export function printsValue(stated: string, output: string): boolean {
  const value = new RegExp(`(?<!\\w)${patternOf(stated)}(?!\\w)`);
  return [output, output.replaceAll('\n', ',')].some((text) => value.test(comparable(text)));
}

/** True if some JSON in the output has everything that the excerpt shows. */
export function hasExcerpt(shown: string, output: string): boolean {
  const expected: unknown = JSON.parse(shown);
  return jsonIn(output).some((value) => matches(expected, value));
}

/** Objects may have other members, and lists other items between those that are shown. */
function matches(shown: unknown, given: unknown): boolean {
  if (shown === ANYTHING) return true;
  if (typeof shown === 'string' && typeof given === 'string')
    return new RegExp(`^${patternOf(shown)}$`).test(comparable(given));
  if (Array.isArray(shown)) {
    if (!Array.isArray(given) || (shown.length === 0 && given.length > 0)) return false;
    const rest: unknown[] = [...given];
    return shown
      .filter((item) => item !== ANYTHING)
      .every((item) => {
        const at = rest.findIndex((one) => matches(item, one));
        rest.splice(0, at + 1);
        return at !== -1;
      });
  }
  if (typeof shown !== 'object' || shown === null) return Object.is(shown, given);
  if (typeof given !== 'object' || given === null) return false;
  return Object.entries(shown).every(([name, value]) => {
    const actual = (given as Record<string, unknown>)[name];
    const isOpaque = OPAQUE_MEMBERS.includes(name) && value !== null && (actual ?? null) !== null;
    return isOpaque || (Object.hasOwn(given, name) && matches(value, actual));
  });
}

/** Returns the JSON objects and arrays in a command's output, also one after the other and below headers. */
function jsonIn(output: string): unknown[] {
  const values: unknown[] = [];
  for (let start = 0; start < output.length; start += 1) {
    if (!'[{'.includes(output.charAt(start))) continue;
    const end = endOfJson(output, start);
    try {
      values.push(JSON.parse(output.slice(start, end)));
      start = end - 1;
    } catch {
      // Another bracket.
    }
  }
  return values;
}

function endOfJson(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (quoted && character === '\\') index += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && '[{'.includes(character)) depth += 1;
    else if (!quoted && ']}'.includes(character)) depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}
