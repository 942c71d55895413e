import { isUtf8 } from 'node:buffer';
import { AppError, invalidFields } from '../../basics/errors/app-error.js';
import { readJsonTree, type JsonNode } from './json-syntax-tree.js';

/**
 * Larger than real requests: the largest fields have some thousands of members, and only a batch whose metadata is mostly
 * commas could have more in total. Names, objects and arrays cost event loop time: receiving 30,000 of them from the
 * thread that parses them takes about 15 ms.
 */
const LIMITS = { depth: 64, members: 10_000, allMembers: 200_000, structure: 30_000 };
const TOO_MUCH: Readonly<Record<keyof typeof LIMITS, string>> = {
  depth: `nests deeper than ${String(LIMITS.depth)} levels; flatten it`,
  members: `has an object or array of more than ${String(LIMITS.members)} members; no field allows so many`,
  allMembers: `has more than ${String(LIMITS.allMembers)} members in total; send less at once`,
  structure: `has more than ${String(LIMITS.structure)} names, objects and arrays in total; send less at once`,
};

/**
 * Property of parsed objects and arrays that refers to their source text. It is not enumerable, so copies and listings
 * skip it. A WeakMap would hold the text of every body until the next major garbage collection.
 */
const SOURCE = Symbol('source text');

interface Source {
  text: string;
  start: number;
  end: number;
}

/**
 * How many levels of a body have sources for their objects and arrays. A batch has operations, documents and their open
 * objects.
 */
const SOURCE_DEPTH = 4;
/**
 * Maximum number of sources, because setting 30,000 takes over 20 ms. A batch of 100 operations has 501 with metadata,
 * aiSettings and templateVariables. A body with more either has unknown fields and is refused, or has the extra ones
 * deeper than any field whose source is used.
 */
const MAX_SOURCES = 1_000;

/** The sources of a body, for another thread: structured cloning drops symbols. */
export interface SourceRanges {
  text: string;
  /** Start and end of each object and array, in the order of {@link containersIn}. */
  ranges: Int32Array;
}

/**
 * Parses a request body: a JSON object in UTF-8. Throws an AppError that names every field with a value that cannot be
 * stored (U+0000, an unpaired surrogate, or a number that a double cannot hold).
 */
export function parseJsonObject(bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) throw invalidBody('is not valid UTF-8; send JSON encoded as UTF-8');
  const text = decoded(bytes);
  if (!/\S/.test(text)) throw invalidBody('is empty; send a JSON object');
  // Check the limits first, because parsing can allocate a hundred times the size of the text.
  const { root, exceeded, duplicateName, unstorable } = readJsonTree(text, LIMITS);
  if (exceeded) throw invalidBody(TOO_MUCH[exceeded]);
  const value = parse(text);
  if (!isObject(value)) throw invalidBody('must be a JSON object');
  if (duplicateName !== undefined) {
    throw invalidFields([{ field: duplicateName, issue: 'is given twice; send each name once' }]);
  }
  const [first, ...rest] = unstorable;
  if (first) throw invalidFields([first, ...rest]);
  addSources(value, root, text);
  return value;
}

/** Returns the text of an object or array exactly as it was sent, or its JSON if it did not come from a request. */
export function sourceText(value: object): string {
  const { [SOURCE]: source } = value as { [SOURCE]?: Source };
  return source ? source.text.slice(source.start, source.end) : JSON.stringify(value);
}

/** Returns the source ranges of a body from {@link parseJsonObject}. */
export function sourceRanges(body: object, bytes: Buffer): SourceRanges {
  const ranges = containersIn(body).flatMap((container) => {
    const { [SOURCE]: source } = container as { [SOURCE]?: Source };
    return source ? [source.start, source.end] : [0, 0];
  });
  return { text: ranges.length > 0 ? decoded(bytes) : '', ranges: Int32Array.from(ranges) };
}

/** Sets the sources of a body that another thread parsed. */
export function restoreSources(body: object, { text, ranges }: SourceRanges): void {
  for (const [index, container] of containersIn(body).entries()) {
    const [start = 0, end = 0] = ranges.subarray(2 * index, 2 * index + 2);
    if (end > 0) setSource(container, { text, start, end });
  }
}

/** Parses the JSON text of an object that the service wrote; {@link sourceText} returns the text again. */
export function parseObject(text: string): object {
  const value = JSON.parse(text) as object;
  setSource(value, { text, start: 0, end: text.length });
  return value;
}

/** True for a JSON object; false for an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets the sources of a parsed body, level by level. */
function addSources(body: object, root: JsonNode, text: string): void {
  let level = [{ value: body, node: root }];
  let count = 0;
  for (let depth = 1; depth <= SOURCE_DEPTH; depth += 1) {
    const parents = level;
    level = [];
    for (const parent of parents) {
      for (const child of childrenOf(parent.value, parent.node)) {
        if (count === MAX_SOURCES) return;
        count += 1;
        setSource(child.value, { text, start: child.node.start, end: child.node.end });
        level.push(child);
      }
    }
  }
}

/** The objects and arrays directly in a value, with their nodes. */
function* childrenOf(
  value: object,
  { members, elements }: JsonNode,
): Iterable<{ value: object; node: JsonNode }> {
  for (const [name, { value: node }] of members ?? []) {
    const child = (value as Record<string, unknown>)[name];
    if (isContainer(child)) yield { value: child, node };
  }
  if (elements.length === 0) return;
  // Only objects and arrays have nodes.
  const children = (value as unknown[]).filter(isContainer);
  for (const [index, node] of elements.entries()) {
    const child = children[index];
    if (child) yield { value: child, node };
  }
}

/** Returns objects and arrays in a body, level by level, in an order that depends on the value alone. */
function containersIn(body: object): object[] {
  const found: object[] = [];
  let level = [body];
  for (let depth = 1; depth <= SOURCE_DEPTH; depth += 1) {
    const parents = level;
    level = [];
    for (const parent of parents) {
      level.push(...(Object.values(parent) as unknown[]).filter(isContainer));
      if (found.length + level.length > MAX_SOURCES) {
        return [...found, ...level].slice(0, MAX_SOURCES);
      }
    }
    found.push(...level);
  }
  return found;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function setSource(value: object, source: Source): void {
  Object.defineProperty(value, SOURCE, { value: source, configurable: true });
}

function decoded(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
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

export function invalidBody(issue: string): AppError {
  const problem = { field: 'body', issue };
  return new AppError('bad_request', `The body ${issue}.`, { ...problem, problems: [problem] });
}
