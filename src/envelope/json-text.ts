import { isUtf8 } from 'node:buffer';
import { AppError, invalidFields, type FieldProblem } from '../errors/app-error.js';
import { nestsDeeperThan, scanJson } from './json-structure.js';

/** Deeper than anything the service accepts anywhere. */
const MAX_DEPTH = 64;
const MAX_PROBLEMS = 100;

const sources = new WeakMap<object, string>();

/**
 * Reads a request body: UTF-8, JSON, an object, and nothing in it that could not be kept (U+0000, half of a surrogate
 * pair, a number beyond a double). Throws an AppError that names every offending field.
 */
export function parseJsonObject(bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) throw invalidBody('is not valid UTF-8; send JSON encoded as UTF-8');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') throw invalidBody('is empty; send a JSON object');
  if (nestsDeeperThan(text, MAX_DEPTH)) {
    throw invalidBody(`nests deeper than ${String(MAX_DEPTH)} levels; flatten it`);
  }
  const value = parse(text);
  if (!isObject(value)) throw invalidBody('must be a JSON object');
  const { doubledName, members } = scanJson(text);
  if (doubledName !== undefined) {
    throw invalidFields([{ field: doubledName, issue: 'is given twice; send each name once' }]);
  }
  const [first, ...rest] = unkeepable(value, text.includes('\\u'));
  if (first) throw invalidFields([first, ...rest]);
  keepSources(value, members);
  return value;
}

/** The text of a member of a request body exactly as it was sent; JSON of the value when it came another way. */
export function sourceText(member: object): string {
  return sources.get(member) ?? JSON.stringify(member);
}

/** Lets {@link sourceText} tell the members of a value whose own source text is known. */
export function revealMembers(value: object): void {
  keepSources(value, scanJson(sourceText(value)).members);
}

function keepSources(value: object, members: ReadonlyMap<string, string>): void {
  for (const [name, source] of members) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'object' && member !== null) sources.set(member, source);
  }
}

/** The object that JSON text of our own making says; {@link sourceText} gives the text again. */
export function parseObject(text: string): object {
  const value = JSON.parse(text) as object;
  sources.set(value, text);
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

interface Visit {
  path: string;
  value: unknown;
}

/** Walks without recursion, so that no input can exhaust the stack. */
function unkeepable(root: object, hasEscapes: boolean): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const stack: Visit[] = [{ path: '', value: root }];
  for (let visit = stack.pop(); visit && problems.length < MAX_PROBLEMS; visit = stack.pop()) {
    const { path, value } = visit;
    if (typeof value === 'string') {
      // Raw U+0000 is no JSON and raw half pairs are no UTF-8: only escapes can bring them in.
      const issue = hasEscapes ? unkeepableText(value) : undefined;
      if (issue) problems.push({ field: path, issue });
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) {
        problems.push({ field: path, issue: 'is a number too large to keep; send it as a string' });
      }
    } else if (Array.isArray(value)) {
      for (let index = value.length - 1; index >= 0; index -= 1) {
        const item: unknown = value[index];
        if (item !== null && typeof item !== 'boolean') {
          stack.push({ path: `${path}[${String(index)}]`, value: item });
        }
      }
    } else if (isObject(value)) {
      visitMembers(value, path, hasEscapes, stack, problems);
    }
  }
  return problems;
}

function visitMembers(
  value: Record<string, unknown>,
  path: string,
  hasEscapes: boolean,
  stack: Visit[],
  problems: FieldProblem[],
): void {
  for (const [key, member] of Object.entries(value).reverse()) {
    const field = path === '' ? key : `${path}.${key}`;
    const issue = hasEscapes ? unkeepableText(key) : undefined;
    if (issue) problems.push({ field, issue: `has a name that ${issue}` });
    if (member !== null && typeof member !== 'boolean') stack.push({ path: field, value: member });
  }
}

function unkeepableText(text: string): string | undefined {
  if (text.includes('\0')) return 'contains U+0000, which cannot be stored; remove it';
  if (!text.isWellFormed()) return 'contains half of a surrogate pair; send whole characters';
  return undefined;
}
