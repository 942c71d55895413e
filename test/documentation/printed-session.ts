import { readFileSync } from 'node:fs';

/** Commands in a document, with the output that it shows. */
export interface Step {
  /** Position of the block, for messages: `README.md:71`. */
  place: string;
  commands: string;
  /** The output that the document shows after the commands, or `undefined`. */
  answer: string | undefined;
}

const FENCE = /^(`{3,})(\w*)$/;

/** Returns the `sh` blocks of a Markdown file in order, each with the block without a language after it. */
export function stepsOf(file: string): Step[] {
  const steps: Step[] = [];
  let open: { fence: string; language: string; line: number; text: string[] } | undefined;
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const [, fence, language = ''] = FENCE.exec(line) ?? [];
    if (open && line !== open.fence) open.text.push(line);
    else if (open) {
      const text = open.text.join('\n');
      const place = `${file}:${String(open.line)}`;
      const last = steps.at(-1);
      if (open.language === 'sh') steps.push({ place, commands: text, answer: undefined });
      else if (open.language === '' && last && last.answer === undefined) last.answer = text;
      open = undefined;
    } else if (fence) open = { fence, language, line: index + 1, text: [] };
  }
  return steps;
}

const ID =
  /\b(?:doc|user|acct|key|tmpl|wh|evt|dlv|req)_[0-9a-z]{26}\b|\bds_live_\w{38}\b|#[\w-]{43}/g;
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g;
/** Values that differ in each run and that readers do not rely on. */
const OPAQUE_MEMBERS = new Set(['nextCursor', 'lastFour', 'retryAfter']);
const COUNTED_HEADERS = /^(X-RateLimit-|RateLimit|Retry-After)/;

/** Returns the prefix of an id, or `#` for the fragment of a link. */
const kindOf = (id: string): string => (id.startsWith('#') ? '#' : id.slice(0, 4));

/** Maps ids, keys and times in the document to those from the service. */
export class Substitutions {
  private readonly actual = new Map<string, string>();

  /** Replaces ids and keys in the document's text by those of this run. */
  apply(text: string): string {
    return text.replace(ID, (id) => this.actual.get(id) ?? id);
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
    const settled = (text: string) =>
      text
        .replace(MOMENT, 'MOMENT')
        .replace(/req_\w{26}/g, 'req')
        .replace(/in \d+ seconds/g, 'in N seconds');
    return { printed: settled(this.apply(printed)), given: settled(given) };
  }
}

/**
 * Returns both texts in a comparable form: selected headers in the printed order without counters, and JSON with the same
 * indentation.
 */
export function comparable(printed: string, given: string): { printed: string; given: string } {
  const got = answersIn(given.replaceAll('\r', ''));
  const pairs = answersIn(printed).map((answer, index) =>
    comparableAnswer(answer, got[index] ?? ''),
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
  const uncounted = (line: string) =>
    COUNTED_HEADERS.test(line) ? line.replace(/\d+/g, '0') : line;
  return {
    printed: [...wanted.head.map(uncounted), wanted.body].join('\n'),
    given: [...headers.map(uncounted), got.body].join('\n'),
  };
}

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
