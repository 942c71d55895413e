import { endOfString, stringValue } from '../../envelope/json-structure.js';

/** A value in JSON source text: `text.slice(start, end)` is the value without white space around it. */
export interface JsonNode {
  start: number;
  end: number;
  /** The members of an object in their order; `undefined` for every other value, arrays included. */
  members: Map<string, JsonMember> | undefined;
}

/** A member of an object: `text.slice(start, value.end)` is its name, the colon and its value. */
export interface JsonMember {
  start: number;
  value: JsonNode;
}

/** An object that is not closed yet, and its member under way. */
interface OpenObject {
  node: JsonNode;
  members: Map<string, JsonMember>;
  name: string;
  nameStart: number;
  expectsName: boolean;
}

const WHITE_SPACE_OR_END = /[\s,}\]]/;

/**
 * Where the objects and members of JSON text stand. Arrays are not looked into. One pass without recursion. Only for
 * text that parses and has no name twice in an object.
 */
export function readObjectTree(text: string): JsonNode {
  return new TreeReader(text).read();
}

class TreeReader {
  private readonly open: OpenObject[] = [];
  private root: JsonNode = { start: 0, end: 0, members: undefined };

  constructor(private readonly text: string) {}

  read(): JsonNode {
    let index = 0;
    while (index < this.text.length) index = this.token(index);
    return this.root;
  }

  /** Takes the token at `index`; returns where the next one may begin. */
  private token(index: number): number {
    switch (this.text.charAt(index)) {
      case ' ':
      case '\t':
      case '\n':
      case '\r':
      case ':':
        return index + 1;
      case ',':
        this.expectName();
        return index + 1;
      case '{':
        this.openObject(index);
        return index + 1;
      case '}':
        this.closeObject(index + 1);
        return index + 1;
      case '[':
        return this.leaf(index, endOfArray(this.text, index));
      case '"':
        return this.string(index, endOfString(this.text, index) + 1);
      default:
        return this.leaf(index, endOfWord(this.text, index));
    }
  }

  private string(start: number, end: number): number {
    const object = this.open.at(-1);
    if (!object?.expectsName) return this.leaf(start, end);
    object.name = stringValue(this.text.slice(start, end));
    object.nameStart = start;
    object.expectsName = false;
    return end;
  }

  private leaf(start: number, end: number): number {
    this.place({ start, end, members: undefined });
    return end;
  }

  private openObject(start: number): void {
    const members = new Map<string, JsonMember>();
    const node = { start, end: start, members };
    this.place(node);
    this.open.push({ node, members, name: '', nameStart: start, expectsName: true });
  }

  private closeObject(end: number): void {
    const object = this.open.pop();
    if (object) object.node.end = end;
  }

  private expectName(): void {
    const object = this.open.at(-1);
    if (object) object.expectsName = true;
  }

  private place(node: JsonNode): void {
    const object = this.open.at(-1);
    if (object) object.members.set(object.name, { start: object.nameStart, value: node });
    else this.root = node;
  }
}

function endOfArray(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const unit = text.charAt(index);
    if (unit === '"') index = endOfString(text, index);
    else if (unit === '[') depth += 1;
    else if (unit === ']') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

/** Where a number, `true`, `false` or `null` ends. */
function endOfWord(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && !WHITE_SPACE_OR_END.test(text.charAt(end))) end += 1;
  return end;
}
