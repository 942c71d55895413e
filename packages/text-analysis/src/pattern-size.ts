/** The alternatives of a group, or of the whole pattern, as far as they are read. Sizes are instructions. */
interface Group {
  size: number;
  /** Size of the last item, which a repetition multiplies. */
  last: number;
}

/** A literal or class, a group's end, a repetition, or anything else of no size. */
const PIECES =
  /\\Q[^]*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|[^])|\\x\{[0-9a-fA-F]+\}|\\[^]|\[\^?\]?(?:\\[pP]\{[^}]*\}|\\[^]|\[:\^?\w+:\]|[^\]])*\]|\((?:\?(?:P?<\w+>|[\w-]*:|[\w-]+(?=\))))?|\{(\d{1,4})(,(\d{0,4}))?\}|[^]/gu;

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
  for (const [piece, least, hasMost, most] of source.matchAll(PIECES)) {
    if (piece.startsWith('(')) {
      groups.push(group);
      group = { size: 2, last: 0 };
    } else if (piece === ')') {
      const { size } = group;
      group = groups.pop() ?? { size: 2, last: 0 };
      add(size);
    } else if (least !== undefined) {
      const copies = Math.max(Number(least), Number(most ?? 0), 1);
      // Each copy that may be missing, and an endless repetition, has an instruction of its own.
      const repeated = copies * (group.last + (hasMost === undefined ? 0 : 1)) + 1;
      group.size += repeated - group.last;
      group.last = repeated;
    } else if (piece === '*' || piece === '+' || piece === '?') {
      group.size += 1;
      group.last += 1;
    } else if (piece.startsWith('\\Q')) add(Math.max(piece.length - 4, 1));
    else add(1);
  }
  return groups.reduce((sum, { size }) => sum + size, group.size);
}
