/** Where a value stands in JSON text: `text.slice(start, end)` is the value without white space around it. */
export interface JsonNode {
  start: number;
  end: number;
  /** The members of an object in their order; `undefined` for every other value. */
  members: Map<string, JsonMember> | undefined;
}

/** A member of an object: `text.slice(start, value.end)` is its name, the colon and its value. */
export interface JsonMember {
  start: number;
  value: JsonNode;
}

export interface JsonTree {
  root: JsonNode;
  /** The elements of the outermost array; empty when the text is no array. */
  elements: JsonNode[];
  /** Path of the first name that an object has twice, such as `metadata.tags`. A parser drops all but the last. */
  doubledName: string | undefined;
  /** The limit that the text goes beyond; it was not read further. */
  exceeded: keyof JsonLimits | undefined;
}

/** How large JSON may be. */
interface JsonLimits {
  /** Levels of objects and arrays within each other, the outermost included. */
  depth: number;
  /** Members of one object or array. */
  members: number;
  /** Members of all of them together. */
  allMembers: number;
  /** Names of members, objects and arrays in all. */
  structure: number;
}

/** An object or array whose end is not read yet. */
interface Container {
  node: JsonNode;
  /** `undefined` in an array. */
  members: Map<string, JsonMember> | undefined;
  /** The member being read: its name and where that stands, or its place in the array. */
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
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Where the objects of JSON text and their members stand, in one linear pass without recursion. Objects within arrays are
 * checked, but only the outermost array's elements are in the tree. Text that does not parse gives a tree without meaning.
 */
export function readJsonTree(text: string, limits: JsonLimits = UNLIMITED): JsonTree {
  const reader = new TreeReader(text, limits);
  let index = 0;
  while (index < text.length && !reader.exceeded) index = reader.token(index);
  const { root, elements, doubledName, exceeded } = reader;
  return { root, elements, doubledName, exceeded };
}

class TreeReader implements JsonTree {
  root: JsonNode = { start: 0, end: 0, members: undefined };
  readonly elements: JsonNode[] = [];
  doubledName: string | undefined;
  exceeded: keyof JsonLimits | undefined;
  private readonly open: Container[] = [];
  private container: Container | undefined;
  private allMembers = 0;
  private strings = 0;
  private structure = 0;

  constructor(
    private readonly text: string,
    private readonly limits: JsonLimits,
  ) {}

  /** Takes the token at `index`; returns where the next one may begin. */
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
        this.begin(index, new Map());
        return index + 1;
      case 0x5b: // [
        this.begin(index, undefined);
        return index + 1;
      case 0x7d: // }
      case 0x5d: // ]
        this.end(index + 1);
        return index + 1;
      case QUOTE:
        return this.string(index, endOfString(this.text, index) + 1);
      default:
        return this.scalar(index, endOfWord(this.text, index));
    }
  }

  private string(start: number, end: number): number {
    // In valid JSON a comma, a colon or a bracket stands before each string.
    this.strings += 1;
    if (this.strings > 2 * this.limits.allMembers + 1) this.exceeded = 'allMembers';
    const object = this.container;
    if (!object?.expectsName) return this.scalar(start, end);
    this.countStructure();
    object.name = nameOf(this.text.slice(start, end));
    object.nameStart = start;
    object.expectsName = false;
    if (object.members?.has(object.name)) this.doubledName ??= this.path();
    return end;
  }

  private scalar(start: number, end: number): number {
    // Arrays may have a million elements, and nobody asks where these stand.
    if (this.container?.members || this.open.length < 2) {
      this.place({ start, end, members: undefined });
    }
    return end;
  }

  private begin(start: number, members: Map<string, JsonMember> | undefined): void {
    this.count();
    this.countStructure();
    if (this.open.length === this.limits.depth) this.exceeded = 'depth';
    const node = { start, end: start, members };
    this.place(node);
    const expectsName = members !== undefined;
    this.container = { node, members, name: '', nameStart: start, index: 0, expectsName };
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
    container.expectsName = container.members !== undefined;
    if (container.index >= this.limits.members) this.exceeded = 'members';
  }

  /** Every member follows a comma or is the first of its object or array. */
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
    else if (container.members) {
      container.members.set(container.name, { start: container.nameStart, value: node });
    } else if (this.open.length === 1) this.elements.push(node);
  }

  private path(): string {
    return this.open
      .map(({ members, name, index }, level) =>
        members ? (level === 0 ? name : `.${name}`) : `[${String(index)}]`,
      )
      .join('');
  }
}

/** Where the string literal that begins at `start` ends: the place of its closing quote. */
export function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  if (end === -1) return text.length;
  if (text.charCodeAt(end - 1) !== BACKSLASH) return end;
  // One step for each character: to look for the next quote again and again is slow where each is escaped.
  for (let index = start + 1; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) return index;
    if (unit === BACKSLASH) index += 1;
  }
  return text.length;
}

/** The value of a string literal; two spellings of one name are one name. Throws when it is no JSON. */
export function stringValue(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

/** Like {@link stringValue}; what is no JSON is left to the parser to refuse. */
function nameOf(literal: string): string {
  try {
    return stringValue(literal);
  } catch {
    return literal;
  }
}

/** Where a number, `true`, `false` or `null` ends. */
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
