import { readFileSync } from 'node:fs';

/** Commands that a document prints, and what it says that they answer. */
export interface Step {
  /** Where the block stands, for messages: `README.md:71`. */
  place: string;
  commands: string;
  /** What the document prints behind the commands; `undefined` when it prints nothing. */
  answer: string | undefined;
}

const FENCE = /^(`{3,})(\w*)$/;

/** The `sh` blocks of a Markdown file in order, each with the block without a language that follows it. */
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
/** Differ from run to run, and say nothing that a reader relies on. */
const OPAQUE_MEMBERS = new Set(['nextCursor', 'lastFour', 'retryAfter']);
const COUNTED_HEADERS = /^(X-RateLimit-|RateLimit|Retry-After)/;

/** Its prefix; of what stands behind the # of a link, that sign. */
const kindOf = (id: string): string => (id.startsWith('#') ? '#' : id.slice(0, 4));

/** What stands in the document for an id, a key or a moment, and what the service gave for it. */
export class Substitutions {
  private readonly actual = new Map<string, string>();

  /** The document's text with the ids and keys of this run. */
  apply(text: string): string {
    return text.replace(ID, (id) => this.actual.get(id) ?? id);
  }

  /** Notes what stands for what; afterwards both texts read the same where they agree. */
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
 * Both texts in a form that can be compared: selected headers in the printed order with counters left out, JSON indented
 * alike.
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

/** Each answer of `curl -i` begins with its status line. */
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

/** An answer of `curl -i` has a head; other answers are a body only. */
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
