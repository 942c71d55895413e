import { isUtf8 } from 'node:buffer';
import { AppError, invalidFields, type FieldProblem } from '../../basics/errors/app-error.js';
import { readJsonTree, type JsonNode, type JsonTree } from './json-syntax-tree.js';

/**
 * More than real requests have. The largest fields have some thousands of members; only a batch of metadata that is nothing
 * but commas could have more in all. Names, objects and arrays are what costs the event loop time: 30,000 of them take some
 * 15 ms to receive from the thread that parses them.
 */
const LIMITS = { depth: 64, members: 10_000, allMembers: 200_000, structure: 30_000 };
const TOO_MUCH: Readonly<Record<keyof typeof LIMITS, string>> = {
  depth: `nests deeper than ${String(LIMITS.depth)} levels; flatten it`,
  members: `has an object or array of more than ${String(LIMITS.members)} members; no field takes so many`,
  allMembers: `has more than ${String(LIMITS.allMembers)} members in all; send less at once`,
  structure: `has more than ${String(LIMITS.structure)} names, objects and arrays in all; send less at once`,
};
const MAX_PROBLEMS = 100;

/**
 * Where a parsed object carries its source text: unseen by whatever lists or copies it. A WeakMap would hold the text of
 * every body until the next full collection: to V8's collections of young objects its values are strong.
 */
const SOURCE = Symbol('source text');

/** Marks a value whose members carry their source text. */
const REVEALED = Symbol('revealed');

interface WithSource {
  [SOURCE]?: string;
  [REVEALED]?: true;
}

/**
 * Where the objects and arrays of a body stand in its text, for a value that comes from another thread: symbols do not. The
 * text is left out when there are none.
 */
export interface SourcePlaces {
  text: string;
  places: SourcePlace[];
}

interface SourcePlace {
  path: (string | number)[];
  start: number;
  end: number;
  isRevealed: boolean;
}

/** A batch has its operations, their documents and the open objects of these. */
const MAX_SOURCE_DEPTH = 4;
/** A batch of 100 operations has 501 with metadata, aiSettings and templateVariables. */
const MAX_SOURCES = 1_000;

/**
 * Reads a request body: UTF-8, JSON, an object, and nothing in it that could not be kept (U+0000, half of a surrogate
 * pair, a number beyond a double). Throws an AppError that names every offending field.
 */
export function parseJsonObject(bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) throw invalidBody('is not valid UTF-8; send JSON encoded as UTF-8');
  const text = decoded(bytes);
  if (!/\S/.test(text)) throw invalidBody('is empty; send a JSON object');
  // Read before parsing, which may allocate a hundred times the size of the text.
  const tree = readJsonTree(text, LIMITS);
  if (tree.exceeded) throw invalidBody(TOO_MUCH[tree.exceeded]);
  const value = parse(text);
  if (!isObject(value)) throw invalidBody('must be a JSON object');
  if (tree.doubledName !== undefined) {
    const problem = { field: tree.doubledName, issue: 'is given twice; send each name once' };
    throw invalidFields([problem]);
  }
  const unkeepable = new Unkeepable(text.includes('\\u'));
  unkeepable.visit(value);
  const [first, ...rest] = unkeepable.problems;
  if (first) throw invalidFields([first, ...rest]);
  keepSources(value, text, tree);
  return value;
}

function decoded(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The text of a member of a request body exactly as it was sent; JSON of the value when it came another way. */
export function sourceText(member: object): string {
  return (member as WithSource)[SOURCE] ?? JSON.stringify(member);
}

/** Lets {@link sourceText} tell the members of a value whose own source text is known. */
export function revealMembers(value: object): void {
  // A large body was revealed by the thread that parsed it.
  if ((value as WithSource)[REVEALED]) return;
  const text = sourceText(value);
  keepSources(value, text, readJsonTree(text));
}

/**
 * Returns where the sources of a parsed body stand: the first {@link MAX_SOURCES}, level by level. Those of deeper members
 * are found by {@link revealMembers}, if somebody asks.
 */
export function sourcePlaces(body: object, bytes: Buffer): SourcePlaces {
  const text = decoded(bytes);
  const root: SourcePlace = { path: [], start: 0, end: text.length, isRevealed: true };
  const places: SourcePlace[] = [];
  let level = [{ place: root, value: body }];
  for (let depth = 1; depth <= MAX_SOURCE_DEPTH; depth += 1) {
    const next: typeof level = [];
    for (const { place, value } of level) {
      const found = membersOf(value, place, text);
      const isTooMuch = places.length + found.length > MAX_SOURCES;
      // No body has so many known fields: what is left out is refused as unknown.
      if (isTooMuch && place === root) found.splice(MAX_SOURCES);
      else if (isTooMuch) continue;
      place.isRevealed = true;
      next.push(...found);
      places.push(...found.map((one) => one.place));
    }
    level = next;
  }
  return { text: places.length > 0 ? text : '', places };
}

/** Returns the objects and arrays in a value that stands at a place of the text. */
function membersOf(
  value: object,
  { path, start, end }: SourcePlace,
  text: string,
): { place: SourcePlace; value: object }[] {
  const { root, elements } = readJsonTree(text.slice(start, end));
  const placed = (name: string | number, node: JsonNode | undefined) => {
    const member = (value as Record<string | number, unknown>)[name];
    if (typeof member !== 'object' || member === null || !node) return [];
    const place: SourcePlace = {
      path: [...path, name],
      start: start + node.start,
      end: start + node.end,
      isRevealed: false,
    };
    return [{ place, value: member }];
  };
  if (Array.isArray(value)) return elements.flatMap((node, index) => placed(index, node));
  return [...(root.members ?? [])].flatMap(([name, member]) => placed(name, member.value));
}

/** Puts sources on a body that came from another thread. */
export function revealSources(body: object, { text, places }: SourcePlaces): void {
  for (const { path, start, end, isRevealed } of places) {
    let value: unknown = body;
    for (const name of path) value = (value as Record<string | number, unknown>)[name];
    keepSource(value as object, text.slice(start, end));
    if (isRevealed) Object.defineProperty(value, REVEALED, { value: true });
  }
}

function keepSources(value: object, text: string, { root, elements }: JsonTree): void {
  const keep = (member: unknown, { start, end }: JsonNode) => {
    if (typeof member === 'object' && member !== null) keepSource(member, text.slice(start, end));
  };
  for (const [name, member] of root.members ?? []) {
    keep((value as Record<string, unknown>)[name], member.value);
  }
  elements.forEach((element, index) => {
    keep((value as unknown[])[index], element);
  });
}

function keepSource(value: object, source: string): void {
  Object.defineProperty(value, SOURCE, { value: source, configurable: true });
}

/** The object that JSON text of our own making says; {@link sourceText} gives the text again. */
export function parseObject(text: string): object {
  const value = JSON.parse(text) as object;
  keepSource(value, text);
  return value;
}

/** Whether a JSON value is an object, not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    throw invalidBody(
      `is not valid JSON${position === undefined ? '' : placeOf(text, Number(position))}`,
    );
  }
}

function placeOf(text: string, position: number): string {
  const before = text.slice(0, position).split('\n');
  return ` (line ${String(before.length)}, column ${String((before.at(-1)?.length ?? 0) + 1)})`;
}

function invalidBody(issue: string): AppError {
  const problem = { field: 'body', issue };
  return new AppError('bad_request', `The body ${issue}.`, { ...problem, problems: [problem] });
}

/** Where a member stands; spelled out only when something is wrong with it, because bodies have a million of them. */
interface Place {
  parent: Place | undefined;
  member: string | number;
}

/** What in a body cannot be kept, in the order of the body. Recursion goes as deep as bodies may nest. */
class Unkeepable {
  readonly problems: FieldProblem[] = [];

  constructor(private readonly hasEscapes: boolean) {}

  visit(container: object, place?: Place): void {
    if (Array.isArray(container)) {
      for (let index = 0; index < container.length; index += 1) {
        this.judge(container[index], place, index);
      }
      return;
    }
    // Four times as fast as entries, where objects have thousands of names.
    for (const name of Object.keys(container)) {
      const issue = this.hasEscapes ? unkeepableText(name) : undefined;
      if (issue) this.add(place, name, `has a name that ${issue}`);
      this.judge((container as Record<string, unknown>)[name], place, name);
    }
  }

  private judge(value: unknown, parent: Place | undefined, member: string | number): void {
    if (typeof value === 'string') {
      // Raw U+0000 is no JSON and raw half pairs are no UTF-8: only escapes can bring them in.
      const issue = this.hasEscapes ? unkeepableText(value) : undefined;
      if (issue) this.add(parent, member, issue);
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) {
        this.add(parent, member, 'is a number too large to keep; send it as a string');
      }
    } else if (typeof value === 'object' && value !== null) {
      if (this.problems.length < MAX_PROBLEMS) this.visit(value, { parent, member });
    }
  }

  private add(parent: Place | undefined, member: string | number, issue: string): void {
    if (this.problems.length < MAX_PROBLEMS) {
      this.problems.push({ field: pathOf({ parent, member }), issue });
    }
  }
}

function pathOf({ parent, member }: Place): string {
  const before = parent ? pathOf(parent) : '';
  if (typeof member === 'number') return `${before}[${String(member)}]`;
  return before === '' ? member : `${before}.${member}`;
}

/** Returns why a text cannot be stored; undefined if it can. */
export function unkeepableText(text: string): string | undefined {
  if (text.includes('\0')) return 'contains U+0000, which cannot be stored; remove it';
  if (!text.isWellFormed()) return 'contains half of a surrogate pair; send whole characters';
  return undefined;
}
