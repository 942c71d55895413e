import type { FieldProblem } from '../../basics/errors/app-error.js';

/** The position of a value in JSON text: `text.slice(start, end)` is the value without surrounding white space. */
export interface JsonNode {
  start: number;
  end: number;
  /** The members of an object in their order; `undefined` for any other value. */
  members: Map<string, JsonMember> | undefined;
  /** The objects and arrays that are elements of an array, in order; empty for any other value. */
  elements: JsonNode[];
}

/** A member of an object: `text.slice(start, value.end)` is its name, the colon and its value. */
export interface JsonMember {
  start: number;
  value: JsonNode;
}

interface JsonTree {
  root: JsonNode;
  /** Path of the first duplicate name, such as `metadata.tags`. A parser drops all members of that name but the last. */
  duplicateName: string | undefined;
  /** Names and values that cannot be stored, in document order. At most 100. */
  unstorable: FieldProblem[];
  /** The limit that the text exceeds; the rest of the text was not read. */
  exceeded: keyof JsonLimits | undefined;
}

interface JsonLimits {
  /** Levels of nested objects and arrays, including the outermost. */
  depth: number;
  /** Members of one object or array. */
  members: number;
  /** Members in total. */
  allMembers: number;
  /** Member names, objects and arrays in total. */
  structure: number;
}

/** An object or array whose end has not been read yet. */
interface Container {
  node: JsonNode;
  /** The current member: its name and the position of the name, or its index in the array. */
  name: string;
  nameStart: number;
  index: number;
  expectsName: boolean;
}

const UNLIMITED: JsonLimits = {
  depth: Infinity,
  members: Infinity,
  allMembers: Infinity,
  structure: Infinity,
};
const MAX_PROBLEMS = 100;
const NO_ELEMENTS: JsonNode[] = [];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** An escape of U+0000 or of a surrogate. Valid JSON in valid UTF-8 contains these only as escapes. */
const SUSPECT_ESCAPE = /\\u(?:0000|d[89a-f])/i;
/** Length of `1e309`, the shortest number too large for a double. */
const SHORTEST_INFINITE = 5;

/**
 * Returns the positions of the objects in JSON text and of their members, in one linear pass without recursion. For text
 * that does not parse, the result is meaningless.
 */
export function readJsonTree(text: string, limits: JsonLimits = UNLIMITED): JsonTree {
  const reader = new TreeReader(text, limits);
  let index = 0;
  while (index < text.length && !reader.exceeded) index = reader.token(index);
  const { root, duplicateName, unstorable, exceeded } = reader;
  return { root, duplicateName, unstorable, exceeded };
}

class TreeReader implements JsonTree {
  root: JsonNode = { start: 0, end: 0, members: undefined, elements: NO_ELEMENTS };
  duplicateName: string | undefined;
  readonly unstorable: FieldProblem[] = [];
  exceeded: keyof JsonLimits | undefined;
  private readonly open: Container[] = [];
  private container: Container | undefined;
  private allMembers = 0;
  private strings = 0;
  private structure = 0;
  private readonly isSuspect: boolean;

  constructor(
    private readonly text: string,
    private readonly limits: JsonLimits,
  ) {
    this.isSuspect = SUSPECT_ESCAPE.test(text);
  }

  /** Reads the token at `index`; returns the index after it. */
  token(index: number): number {
    switch (this.text.charCodeAt(index)) {
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
      case 0x3a: // :
        return index + 1;
      case 0x2c: // ,
        this.nextMember();
        return index + 1;
      case 0x7b: // {
        this.begin({ start: index, end: index, members: new Map(), elements: NO_ELEMENTS });
        return index + 1;
      case 0x5b: // [
        this.begin({ start: index, end: index, members: undefined, elements: [] });
        return index + 1;
      case 0x7d: // }
      case 0x5d: // ]
        this.end(index + 1);
        return index + 1;
      case QUOTE:
        return this.string(index, endOfString(this.text, index) + 1);
      default:
        return this.word(index, endOfWord(this.text, index));
    }
  }

  private string(start: number, end: number): number {
    // In valid JSON, a comma, a colon or a bracket precedes each string.
    this.strings += 1;
    if (this.strings > 2 * this.limits.allMembers + 1) this.exceeded = 'allMembers';
    const object = this.container;
    if (!object?.expectsName) {
      const issue = this.textIssue(start, end);
      if (issue) this.refuse(issue);
      this.placeScalar(start, end);
      return end;
    }
    this.countStructure();
    object.name = nameOf(this.text.slice(start, end));
    object.nameStart = start;
    object.expectsName = false;
    const issue = this.textIssue(start, end);
    if (issue) this.refuse(`has a name that ${issue}`);
    if (object.node.members?.has(object.name)) this.duplicateName ??= this.path();
    return end;
  }

  /** Reads a number, `true`, `false` or `null`. */
  private word(start: number, end: number): number {
    if (end - start >= SHORTEST_INFINITE) {
      const number = Number(this.text.slice(start, end));
      if (number === Infinity || number === -Infinity) {
        this.refuse('is a number too large to store; send it as a string');
      }
    }
    this.placeScalar(start, end);
    return end;
  }

  /** Skips elements of arrays: there can be a million, and no caller needs their positions. */
  private placeScalar(start: number, end: number): void {
    if (this.container && !this.container.node.members) return;
    this.place({ start, end, members: undefined, elements: NO_ELEMENTS });
  }

  private begin(node: JsonNode): void {
    this.count();
    this.countStructure();
    if (this.open.length === this.limits.depth) this.exceeded = 'depth';
    this.place(node);
    const expectsName = node.members !== undefined;
    this.container = { node, name: '', nameStart: node.start, index: 0, expectsName };
    this.open.push(this.container);
  }

  private end(end: number): void {
    if (this.container) this.container.node.end = end;
    this.open.pop();
    this.container = this.open.at(-1);
  }

  private nextMember(): void {
    this.count();
    const { container } = this;
    if (!container) return;
    container.index += 1;
    container.expectsName = container.node.members !== undefined;
    if (container.index >= this.limits.members) this.exceeded = 'members';
  }

  /** Counts a member: each one follows a comma or is the first of its object or array. */
  private count(): void {
    this.allMembers += 1;
    if (this.allMembers > this.limits.allMembers) this.exceeded = 'allMembers';
  }

  private countStructure(): void {
    this.structure += 1;
    if (this.structure > this.limits.structure) this.exceeded ??= 'structure';
  }

  private place(node: JsonNode): void {
    const { container } = this;
    if (!container) this.root = node;
    else if (container.node.members) {
      container.node.members.set(container.name, { start: container.nameStart, value: node });
    } else container.node.elements.push(node);
  }

  private textIssue(start: number, end: number): string | undefined {
    if (!this.isSuspect) return undefined;
    const literal = this.text.slice(start, end);
    return SUSPECT_ESCAPE.test(literal) ? unstorableText(nameOf(literal)) : undefined;
  }

  private refuse(issue: string): void {
    if (this.unstorable.length < MAX_PROBLEMS) this.unstorable.push({ field: this.path(), issue });
  }

  private path(): string {
    return this.open
      .map(({ node, name, index }, level) =>
        node.members ? (level === 0 ? name : `.${name}`) : `[${String(index)}]`,
      )
      .join('');
  }
}

/** Returns why a text cannot be stored; undefined if it can. */
export function unstorableText(text: string): string | undefined {
  if (text.includes('\0')) return 'contains U+0000, which cannot be stored; remove it';
  if (!text.isWellFormed()) return 'contains half of a surrogate pair; send whole characters';
  return undefined;
}

/** Returns the index of the closing quote of the string literal that begins at `start`. */
export function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  if (end === -1) return text.length;
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end;
  // Step by character: searching for the next quote each time is slow if every quote is escaped.
  for (let index = start + 1; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) return index;
    if (unit === BACKSLASH) index += 1;
  }
  return text.length;
}

/** Returns the value of a string literal. Throws if it is not valid JSON. */
export function stringValue(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

/** Like {@link stringValue}, but leaves invalid JSON for the parser to refuse. */
function nameOf(literal: string): string {
  try {
    return stringValue(literal);
  } catch {
    return literal;
  }
}

/** Returns the end of a number, `true`, `false` or `null`. */
function endOfWord(text: string, start: number): number {
  for (let end = start + 1; end < text.length; end += 1) {
    switch (text.charCodeAt(end)) {
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
      case 0x2c:
      case 0x5d:
      case 0x7d:
        return end;
    }
  }
  return text.length;
}
