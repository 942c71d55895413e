const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export interface JsonStructure {
  /** Whether objects and arrays nest deeper than allowed; the scan stops there. */
  tooDeep: boolean;
  /** The source text of each member of the outermost object, by name; the last of equal names wins, as in JSON.parse. */
  members: Map<string, string>;
}

/**
 * One pass over JSON text that builds nothing: finds excessive nesting before a parser allocates for it, and the exact
 * source text of the top members, which parsing loses (key order of `{"b":1,"1":2}`, `1.0`, doubled keys). On text that
 * is not JSON the result means nothing; parse it as well.
 */
// eslint-disable-next-line complexity -- one flat switch over six characters reads best in one piece
export function scanJson(text: string, maxDepth: number): JsonStructure {
  const members = new Map<string, string>();
  let depth = 0;
  let name: string | undefined;
  let valueStart = 0;
  let lastString = '';

  const endMember = (end: number) => {
    if (name !== undefined) members.set(name, text.slice(valueStart, end).trim());
    name = undefined;
  };

  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        const end = endOfString(text, index);
        if (depth === 1 && name === undefined) lastString = text.slice(index, end + 1);
        index = end;
        break;
      }
      case 0x7b: // {
      case 0x5b: // [
        depth += 1;
        if (depth > maxDepth) return { tooDeep: true, members };
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (depth === 1) endMember(index);
        depth -= 1;
        break;
      case 0x3a: // :
        if (depth === 1 && name === undefined) {
          name = stringValue(lastString);
          valueStart = index + 1;
        }
        break;
      case 0x2c: // ,
        if (depth === 1) endMember(index);
        break;
    }
  }
  return { tooDeep: false, members };
}

function endOfString(text: string, start: number): number {
  let end = start;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

function stringValue(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return undefined;
  }
}
