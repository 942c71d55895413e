const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export interface JsonStructure {
  /** Path of the first name that an object has twice, such as `metadata.tags`. */
  doubledName: string | undefined;
  /** The source text of each member of the outermost object by name, or of the outermost array by place. */
  members: Map<string, string>;
}

/** An object or array that is open at the place of the scan. */
interface Frame {
  /** Names seen so far; `undefined` in an array. */
  names: Set<string> | undefined;
  /** The member under way: its name, or its place in the array. */
  name: string;
  index: number;
  expectsName: boolean;
}

/** How large a structure may be. */
export interface StructureLimits {
  /** Levels of objects and arrays within each other, the outermost included. */
  depth: number;
  /** Members of one object or array. */
  members: number;
  /** Members of all of them together. */
  allMembers: number;
}

/**
 * Which limit objects and arrays go beyond, if any. Builds nothing, so it may be asked of any text before a parser
 * allocates for it.
 */
export function exceededLimit(
  text: string,
  limits: StructureLimits,
): keyof StructureLimits | undefined {
  /** Commas so far of what is open, by its level. */
  const commas = new Int32Array(limits.depth + 2);
  let depth = 0;
  let all = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) index = endOfString(text, index);
    else if (unit === 0x2c) {
      const own = (commas[depth] ?? 0) + 1;
      commas[depth] = own;
      if (own >= limits.members) return 'members';
      all += 1;
    } else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > limits.depth) return 'depth';
      commas[depth] = 0;
      all += 1;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
    if (all > limits.allMembers) return 'allMembers';
  }
  return undefined;
}

/**
 * What parsing loses of JSON text, in one pass that builds no values: doubled names, of which a parser silently drops all
 * but the last, and the exact source text of the top members (key order of `{"b":1,"1":2}`, `1.0`). Only for text that
 * parses.
 */
export function scanJson(text: string): JsonStructure {
  const scan = new Scan(text);
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = scan.string(index);
        break;
      case 0x7b: // {
        scan.open(new Set(), index);
        break;
      case 0x5b: // [
        scan.open(undefined, index);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        scan.close(index);
        break;
      case 0x3a: // :
        scan.colon(index);
        break;
      case 0x2c: // ,
        scan.comma(index);
        break;
    }
  }
  return { doubledName: scan.doubledName, members: scan.members };
}

class Scan {
  readonly members = new Map<string, string>();
  doubledName: string | undefined;
  private readonly frames: Frame[] = [];
  private valueStart = 0;

  constructor(private readonly text: string) {}

  /** Takes the string that begins at `start`; returns where it ends. */
  string(start: number): number {
    const end = endOfString(this.text, start);
    const frame = this.frames.at(-1);
    if (frame?.names && frame.expectsName) {
      frame.name = stringValue(this.text.slice(start, end + 1));
      frame.expectsName = false;
      if (frame.names.has(frame.name)) this.doubledName ??= this.path();
      frame.names.add(frame.name);
    }
    return end;
  }

  open(names: Set<string> | undefined, at: number): void {
    if (this.frames.length === 0) this.valueStart = at + 1;
    this.frames.push({ names, name: '', index: 0, expectsName: names !== undefined });
  }

  close(end: number): void {
    this.endMember(end);
    this.frames.pop();
  }

  colon(at: number): void {
    if (this.frames.length === 1) this.valueStart = at + 1;
  }

  comma(at: number): void {
    this.endMember(at);
    const frame = this.frames.at(-1);
    if (!frame) return;
    frame.expectsName = frame.names !== undefined;
    frame.index += 1;
    if (this.frames.length === 1) this.valueStart = at + 1;
  }

  private endMember(end: number): void {
    const [outermost] = this.frames;
    if (this.frames.length !== 1 || !outermost) return;
    const source = this.text.slice(this.valueStart, end).trim();
    // Nothing stands in an empty object or array.
    if (source === '') return;
    this.members.set(outermost.names ? outermost.name : String(outermost.index), source);
  }

  private path(): string {
    return this.frames
      .map(({ names, name, index }, level) =>
        names ? (level === 0 ? name : `.${name}`) : `[${String(index)}]`,
      )
      .join('');
  }
}

/** Where the string literal that begins at `start` ends: the place of its closing quote. */
export function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

/** The value of a string literal; two spellings of one name are one name. */
export function stringValue(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}
