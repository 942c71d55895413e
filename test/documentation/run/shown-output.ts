/** Compares the output that a page shows with the output of this run. */

const ID =
  /\b(?:[a-z]{2,6})_[0-9a-hjkmnp-tv-z]{26}\b|\bds_live_\w{38}\b|\bwhsec_[\w+/]{20,}=*|#[\w-]{43}/g;
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)/g;
/** Values that differ in each run and that readers do not rely on. */
const OPAQUE_MEMBERS = new Set(['nextCursor', 'lastFour', 'retryAfter', 'durationMs', 'uptime']);
const COUNTED_HEADERS = /^(X-RateLimit-|RateLimit|Retry-After).*$/gim;
/** Matches anything in a page's output. */
const ANYTHING = '…';

/** Returns the prefix of an id, or `#` for the fragment of a link. */
const kindOf = (id: string): string => (id.startsWith('#') ? '#' : id.slice(0, id.indexOf('_')));

/** Maps ids, keys and times on the page to those from the service. */
export class Substitutions {
  private actual = new Map<string, string>();
  /** Ids of the output so far that the page does not show, by kind. */
  private readonly unshown = new Map<string, string>();

  /** Replaces ids and keys in the page's text by those of this run. */
  apply(text: string): string {
    return text.replace(ID, (id) => this.actual.get(id) ?? id);
  }

  /** Remembers the ids in output. */
  hear(output: string): void {
    for (const id of output.match(ID) ?? []) this.unshown.set(kindOf(id), id);
  }

  /** An id that the page has not shown in an output stands for the last one of its kind that the reader has seen. */
  applyToCommands(commands: string): string {
    for (const id of commands.match(ID) ?? []) {
      const heard = this.unshown.get(kindOf(id));
      if (heard && !this.actual.has(id)) this.actual.set(id, heard);
    }
    return this.apply(commands);
  }

  copy(): Substitutions {
    const copy = new Substitutions();
    copy.actual = new Map(this.actual);
    return copy;
  }

  takeFrom(other: Substitutions): void {
    this.actual = new Map(other.actual);
  }

  /** Records which values correspond. Afterwards, both texts are equal where they agree. */
  align(printed: string, given: string): { printed: string; given: string } {
    const names = printed.match(ID) ?? [];
    const values = given.match(ID) ?? [];
    for (const [index, name] of names.entries()) {
      const value = values[index];
      if (value && kindOf(value) === kindOf(name) && !this.actual.has(name)) {
        this.actual.set(name, value);
      }
    }
    return { printed: settled(this.apply(printed)), given: settled(given) };
  }
}

const settled = (text: string) =>
  text
    .replace(MOMENT, 'MOMENT')
    .replace(/req_\w{26}/g, 'req')
    .replace(/in \d+ seconds/g, 'in N seconds');

/** Both texts if they differ, in the form in which they were compared. */
export interface Difference {
  shown: string;
  actual: string;
}

/** Compares all output of a command with the text on the page. */
export function textDifference(
  shown: string,
  output: string,
  names: Substitutions,
): Difference | undefined {
  const here = names.copy();
  const alike = comparable(shown, output);
  const { printed, given } = here.align(alike.printed, alike.given);
  if (!agree(printed, given)) return { shown: printed.trim(), actual: given.trim() };
  names.takeFrom(here);
  return undefined;
}

/** True if both are equal. `…` in `printed` matches anything. */
function agree(printed: string, given: string): boolean {
  if (!printed.includes(ANYTHING)) return printed.trimEnd() === given.trimEnd();
  return new RegExp(`^${patternOf(flat(printed))}$`).test(flat(given));
}

/** Returns the pattern of a text in which `…` stands for anything. */
function patternOf(text: string): string {
  const parts = text.split(ANYTHING);
  return parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*');
}

const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** True if a program printed the value that a comment states, or, in a loop, the values with commas. IDs may differ. */
export function printsValue(stated: string, output: string): boolean {
  const comparable = (text: string) => flat(settled(text.replace(ID, (id) => `${kindOf(id)}_ID`)));
  const given = comparable(output);
  return [stated, stated.replaceAll(', ', ' ')].some((value) =>
    new RegExp(`(?<!\\w)${patternOf(comparable(value))}(?!\\w)`).test(given),
  );
}

/** Compares an excerpt with the JSON in the output. The excerpt's members must be there; others may be there too. */
export function excerptDifference(
  shown: string,
  output: string,
  names: Substitutions,
): Difference | undefined {
  const expected: unknown = JSON.parse(shown);
  const values = jsonIn(output);
  let problem = 'there is no JSON in the output';
  for (const value of values.reverse()) {
    const here = names.copy();
    const found = mismatch(expected, value, { names: here, path: '', member: '' });
    if (found === undefined) {
      names.takeFrom(here);
      return undefined;
    }
    if (problem.startsWith('there is no')) problem = found;
  }
  return { shown, actual: `${problem}; the output is:\n${output.trim()}` };
}

interface Position {
  names: Substitutions;
  path: string;
  member: string;
}

/** Returns the first difference in words, or `undefined` if the value has everything that is expected. */
function mismatch(expected: unknown, value: unknown, at: Position): string | undefined {
  if (OPAQUE_MEMBERS.has(at.member) && expected !== null && value !== null) return undefined;
  if (typeof expected === 'string' && typeof value === 'string') {
    const { printed, given } = at.names.align(expected, value);
    return agree(printed, given) ? undefined : unequal(expected, value, at);
  }
  if (expected === ANYTHING) return undefined;
  if (Array.isArray(expected)) {
    return Array.isArray(value) ? itemMismatch(expected, value, at) : unequal(expected, value, at);
  }
  if (isObject(expected)) {
    return isObject(value) ? memberMismatch(expected, value, at) : unequal(expected, value, at);
  }
  return Object.is(expected, value) ? undefined : unequal(expected, value, at);
}

function memberMismatch(
  expected: Record<string, unknown>,
  value: Record<string, unknown>,
  at: Position,
): string | undefined {
  for (const [member, shown] of Object.entries(expected)) {
    const path = at.path ? `${at.path}.${member}` : member;
    if (!(member in value)) return `${path} is missing`;
    const found = mismatch(shown, value[member], { ...at, path, member });
    if (found) return found;
  }
  return undefined;
}

/** The shown items must be among the values, in the same order. */
function itemMismatch(expected: unknown[], values: unknown[], at: Position): string | undefined {
  let next = 0;
  for (const [index, item] of expected.entries()) {
    if (item === ANYTHING) continue;
    let first: string | undefined;
    for (;;) {
      const path = `${at.path}[${String(index)}]`;
      if (next >= values.length) return first ?? `${path} is missing`;
      const here = at.names.copy();
      const found = mismatch(item, values[next], { names: here, path, member: '' });
      next += 1;
      if (found === undefined) {
        at.names.takeFrom(here);
        break;
      }
      first ??= found;
    }
  }
  return expected.length === 0 && values.length > 0 ? unequal(expected, values, at) : undefined;
}

const unequal = (expected: unknown, value: unknown, { path }: Position) =>
  `${path || 'the answer'} is ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the JSON objects and arrays in a command's output, also one after the other and below headers. */
export function jsonIn(output: string): unknown[] {
  const values: unknown[] = [];
  for (let start = output.search(/[[{]/); start !== -1;) {
    const end = endOfJson(output, start);
    const value = end === -1 ? undefined : parsed(output.slice(start, end));
    if (value !== undefined) values.push(value);
    const from = value === undefined ? start + 1 : end;
    const next = output.slice(from).search(/[[{]/);
    start = next === -1 ? -1 : from + next;
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
  return -1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns both texts in a comparable form: selected headers in the printed order without counters, and JSON with the same
 * indentation.
 */
function comparable(printed: string, given: string): { printed: string; given: string } {
  const got = answersIn(given.replaceAll('\r', ''));
  const shown = answersIn(printed);
  const pairs = Array.from({ length: Math.max(got.length, shown.length) }, (_, index) =>
    comparableAnswer(shown[index] ?? '', got[index] ?? ''),
  );
  return {
    printed: pairs.map((pair) => pair.printed).join('\n'),
    given: pairs.map((pair) => pair.given).join('\n'),
  };
}

/** Each response from `curl -i` starts with its status line. */
function answersIn(text: string): string[] {
  return text.split(/^(?=HTTP\/1\.1 )/m);
}

function comparableAnswer(printed: string, given: string): { printed: string; given: string } {
  const wanted = splitAnswer(printed);
  const got = splitAnswer(given);
  const headers = wanted.head.map((line) => {
    const name = line.split(':')[0] ?? line;
    return got.head.find((one) => one === line || one.startsWith(`${name}:`)) ?? '';
  });
  return {
    printed: uncounted([...wanted.head, wanted.body].join('\n')),
    given: uncounted([...headers, got.body].join('\n')),
  };
}

const uncounted = (text: string) =>
  text.replaceAll(COUNTED_HEADERS, (line) => line.replaceAll(/\d+/g, '0'));

/** Responses from `curl -i` have a head. Others only have a body. */
function splitAnswer(text: string): { head: string[]; body: string } {
  const hasHead = text.startsWith('HTTP/1.1 ');
  const end = text.indexOf('\n\n');
  const head = hasHead ? (end === -1 ? text : text.slice(0, end)).trim().split('\n') : [];
  const body = hasHead ? (end === -1 ? '' : text.slice(end + 2)) : text;
  return { head, body: indented(body.trim()) };
}

function indented(body: string): string {
  const start = body.search(/^\{/m);
  if (start === -1) return body;
  try {
    const value: unknown = JSON.parse(body.slice(start), (name, member: unknown) =>
      OPAQUE_MEMBERS.has(name) && member !== null ? 'OPAQUE' : member,
    );
    return body.slice(0, start) + JSON.stringify(value, null, 2);
  } catch {
    return body;
  }
}
