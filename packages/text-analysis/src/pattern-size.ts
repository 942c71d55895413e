/** The alternatives of a group, or of the whole pattern, as far as they are read. Sizes are instructions. */
interface Group {
  size: number;
  /** Size of the last item, which a repetition multiplies. */
  last: number;
}

/** What may stand in a pattern besides classes in brackets. No alternative can match in two ways, so a search is linear. */
const ITEM =
  /\\[pP]\{[^{}\\]*\}|\\x\{[0-9a-fA-F]+\}|\\[^]|\((?:\?(?:P?<\w+>|[\w-]*:|[\w-]+(?=\))))?|\{(\d{1,4})(,(\d{0,4}))?\}|[^]/uy;

/**
 * Estimates the number of instructions that an RE2 pattern compiles to, in linear time: compiling a large one takes seconds
 * and much memory. Too high for alternatives that RE2 merges, and for repetitions of nothing.
 */
export function patternSize(source: string): number {
  const groups: Group[] = [];
  let group: Group = { size: 2, last: 0 };
  const add = (size: number) => {
    group.size += size;
    group.last = size;
  };
  for (let at = 0; at < source.length;) {
    const end = literalEnd(source, at);
    if (end > at) {
      add(source[at] === '[' ? 1 : end - at);
      at = end;
      continue;
    }
    ITEM.lastIndex = at;
    const [item = '', least, hasMost, most] = ITEM.exec(source) ?? [];
    at += Math.max(item.length, 1);
    if (item.startsWith('(')) {
      groups.push(group);
      group = { size: 2, last: 0 };
    } else if (item === ')') {
      const { size } = group;
      group = groups.pop() ?? { size: 2, last: 0 };
      add(size);
    } else if (least !== undefined) {
      const copies = Math.max(Number(least), Number(most ?? 0), 1);
      // An optional copy and an unbounded repetition each add one instruction.
      const repeated = copies * (group.last + (hasMost === undefined ? 0 : 1)) + 1;
      group.size += repeated - group.last;
      group.last = repeated;
    } else if ('*+?'.includes(item)) {
      group.size += 1;
      group.last += 1;
    } else add(1);
  }
  return groups.reduce((sum, { size }) => sum + size, group.size);
}

/** Returns the end of a class in brackets or of a quotation that starts at `start`, or `start` if none does. */
function literalEnd(source: string, start: number): number {
  if (source[start] === '[') return classEnd(source, start);
  if (!source.startsWith('\\Q', start)) return start;
  const end = source.indexOf('\\E', start + 2);
  return end < 0 ? source.length : end + 2;
}

/** Returns the end of a class in brackets. A closing bracket at its start belongs to it. */
function classEnd(source: string, start: number): number {
  let at = source[start + 1] === '^' ? start + 2 : start + 1;
  for (let isFirst = true; at < source.length; isFirst = false) {
    if (source[at] === ']' && !isFirst) return at + 1;
    const named = source.startsWith('[:', at) ? source.indexOf(':]', at + 2) : -1;
    if (named >= 0) at = named + 2;
    else at += source[at] === '\\' ? 2 : 1;
  }
  return source.length;
}
