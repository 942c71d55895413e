import type { Node } from 'prosemirror-model';

export interface FindQuery {
  search: string;
  caseSensitive: boolean;
  wholeWord: boolean;
  regexp: boolean;
}

/** Positions in the document. */
export interface Match {
  from: number;
  to: number;
}

/** Returns the expression of a query, or undefined if it is empty or invalid. */
export function patternOf(query: FindQuery): RegExp | undefined {
  const { search, caseSensitive, wholeWord, regexp } = query;
  if (search === '') return undefined;
  const source = regexp ? search : search.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const whole = String.raw`(?<![\p{L}\p{N}_])(?:${source})(?![\p{L}\p{N}_])`;
  try {
    // Compiled alone first, because a part such as `a)(b` is invalid but may be valid inside a group.
    const alone = new RegExp(source, caseSensitive ? 'gmu' : 'gimu');
    return wholeWord ? new RegExp(whole, alone.flags) : alone;
  } catch {
    return undefined;
  }
}

/** Returns the text of a block. Its offsets are those of the block's content: an image is one character. */
export function textOf(block: Node): string {
  return block.textBetween(0, block.content.size, undefined, ({ type }) =>
    type.name === 'hard_break' ? '\n' : '\uFFFC',
  );
}

/** Finds a query in documents. Unchanged blocks are searched only once. */
export class Finder {
  private readonly pattern: RegExp | undefined;
  private readonly searched = new WeakMap<Node, readonly (readonly [number, number])[]>();

  constructor(readonly query: FindQuery) {
    this.pattern = patternOf(query);
  }

  get isValid(): boolean {
    return this.pattern !== undefined;
  }

  /** Returns all matches in document order. A match never spans two blocks. */
  matchesIn(doc: Node): Match[] {
    const matches: Match[] = [];
    if (!this.pattern) return matches;
    doc.descendants((node, position) => {
      if (!node.isTextblock) return true;
      const start = position + 1;
      for (const [from, to] of this.inBlock(node))
        matches.push({ from: start + from, to: start + to });
      return false;
    });
    return matches;
  }

  /** Returns what replaces a match. In a regular expression, `$1` stands for a group and `$&` for the match. */
  replacementOf(doc: Node, { from }: Match, replacement: string): string {
    if (!this.query.regexp || !this.pattern) return replacement;
    const place = doc.resolve(from);
    const { source, flags } = this.pattern;
    const sticky = new RegExp(source, flags.replace('g', 'y'));
    sticky.lastIndex = place.parentOffset;
    const found = sticky.exec(textOf(place.parent));
    if (!found) return replacement;
    return replacement.replaceAll(/\$(\$|&|\d{1,2})/g, (written, name: string) => {
      if (name === '$') return '$';
      const group = name === '&' ? 0 : Number(name);
      return group < found.length ? (found[group] ?? '') : written;
    });
  }

  private inBlock(block: Node): readonly (readonly [number, number])[] {
    const known = this.searched.get(block);
    if (known) return known;
    const found: (readonly [number, number])[] = [];
    for (const match of textOf(block).matchAll(this.pattern ?? /(?!)/g)) {
      // `x*` also matches nothing.
      if (match[0] !== '') found.push([match.index, match.index + match[0].length]);
    }
    this.searched.set(block, found);
    return found;
  }
}

/** Returns the index of the match with exactly this range, or -1. */
export function indexOfMatch(matches: readonly Match[], { from, to }: Match): number {
  const index = firstFrom(matches, from);
  const match = matches[index];
  return match?.from === from && match.to === to ? index : -1;
}

/** Returns the index of the first match that starts at or after a position. */
export function firstFrom(matches: readonly Match[], position: number): number {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((matches[middle]?.from ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Larger counts are not shown exactly. */
const MOST_COUNTED = 1_000;

/** Returns what the bar says about the matches. `current` is an index or -1. */
export function countText(finder: Finder, count: number, current: number): string {
  if (finder.query.search === '') return '';
  if (!finder.isValid) return 'Invalid expression';
  if (count === 0) return 'No results';
  const all =
    count > MOST_COUNTED ? `${MOST_COUNTED.toLocaleString('en')}+` : count.toLocaleString('en');
  return current === -1 ? `${all} found` : `${(current + 1).toLocaleString('en')} of ${all}`;
}
