import type {
  Block,
  Inline,
  ListItem,
  TableCell,
} from '@document-service/conversion/rich-text/rich-text';
import { diffArrays } from 'diff/lib/diff/array.js';

export type Change = 'same' | 'added' | 'removed';

/** A block of either version, or a block of both with the changes inside it. */
export type BlockChange =
  { change: Change; block: Block } | { change: 'inside'; block: MixedBlock };

/** A block with parts of both versions. */
export type MixedBlock =
  | { kind: 'paragraph'; inlines: InlineChange[] }
  | { kind: 'heading'; level: number; inlines: InlineChange[] }
  | { kind: 'quote'; blocks: BlockChange[] }
  | { kind: 'list'; start: number | undefined; items: ItemChange[] }
  | { kind: 'code'; lines: LineChange[] }
  | { kind: 'table'; rows: RowChange[] };

interface LineChange {
  change: Change;
  text: string;
}

export interface InlineChange {
  change: Change;
  inline: Inline;
}

export type ItemChange =
  | { change: Change; item: ListItem }
  | { change: 'inside'; blocks: BlockChange[]; checked: Checked };

/** Whether a task is done, before and after. Undefined if the item is no task. */
interface Checked {
  before: boolean | undefined;
  after: boolean | undefined;
}

export type RowChange =
  { change: Change; cells: TableCell[] } | { change: 'inside'; cells: BlockChange[][] };

/** Maximum number of differences that one comparison looks for. More take seconds. */
const MOST_DIFFERENCES = 2_000;
/** Number of added items among which the new version of a removed one is looked for. */
const LOOK_AHEAD = 20;
/** Share of the words that a block must share with its new version. */
const ALIKE = 0.3;

/** Returns the blocks of both versions in reading order, with the differences by words. */
export function diffBlocks(before: readonly Block[], after: readonly Block[]): BlockChange[] {
  return paired(before, after, areAlike).map((pair): BlockChange => {
    if (pair.change !== 'pair') return { change: pair.change, block: pair.item };
    const mixed = mix(pair.before, pair.after);
    return { change: 'inside', block: mixed };
  });
}

type Pairing<Item> = { change: Change; item: Item } | { change: 'pair'; before: Item; after: Item };

/** Aligns two lists: equal items are the same, and a removed item is paired with an added one that is alike. */
function paired<Item>(
  before: readonly Item[],
  after: readonly Item[],
  isAlike: (one: Item, other: Item) => boolean,
): Pairing<Item>[] {
  const result: Pairing<Item>[] = [];
  for (const part of differences(before, after)) {
    if ('same' in part) {
      result.push(...part.same.map((item) => ({ change: 'same' as const, item })));
      continue;
    }
    let next = 0;
    for (const old of part.removed) {
      const near = part.added.slice(next, next + LOOK_AHEAD);
      const distance = near.findIndex((item) => isAlike(old, item));
      if (distance === -1) {
        result.push({ change: 'removed', item: old });
        continue;
      }
      const found = next + distance;
      const between = part.added.slice(next, found);
      result.push(...between.map((item) => ({ change: 'added' as const, item })));
      result.push({ change: 'pair', before: old, after: part.added[found] as Item });
      next = found + 1;
    }
    result.push(...part.added.slice(next).map((item) => ({ change: 'added' as const, item })));
  }
  return result;
}

type Part<Item> = { same: Item[] } | { removed: Item[]; added: Item[] };

/** Returns runs of equal and of different items in order. Items are equal if their JSON is. */
function differences<Item>(before: readonly Item[], after: readonly Item[]): Part<Item>[] {
  const [old, fresh] = [before, after].map((items) => items.map((item) => JSON.stringify(item)));
  const parts = diffArrays(old ?? [], fresh ?? [], { maxEditLength: MOST_DIFFERENCES });
  if (!parts) return [{ removed: [...before], added: [...after] }];
  const result: Part<Item>[] = [];
  let [at, newAt] = [0, 0];
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      result.push({ same: after.slice(newAt, newAt + count) });
      at += count;
      newAt += count;
      continue;
    }
    let last = result.at(-1);
    if (!last || 'same' in last) result.push((last = { removed: [], added: [] }));
    if (removed) last.removed.push(...before.slice(at, (at += count)));
    else last.added.push(...after.slice(newAt, (newAt += count)));
  }
  return result;
}

function areAlike(one: Block, other: Block): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'table' && other.kind === 'table') {
    return one.rows[0]?.length === other.rows[0]?.length;
  }
  if (one.kind === 'heading' && other.kind === 'heading' && one.level !== other.level) return false;
  return shareWords(one, other);
}

/** Returns whether two values share enough of the words in their JSON. */
function shareWords(one: unknown, other: unknown): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const common = [...words].filter((word) => others.has(word)).length;
  return common >= ALIKE * Math.max(words.size, others.size);
}

/** Names of members, which are in every block. */
const MEMBERS = new Set(
  'kind text marks inlines blocks items paragraph heading level bold italic code link'.split(' '),
);

function wordsOf(value: unknown): Set<string> {
  const words =
    JSON.stringify(value)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !MEMBERS.has(word)));
}

function mix(before: Block, after: Block): MixedBlock {
  if (before.kind === 'quote' && after.kind === 'quote') {
    return { kind: 'quote', blocks: diffBlocks(before.blocks, after.blocks) };
  }
  if (before.kind === 'list' && after.kind === 'list') {
    return { kind: 'list', start: after.start, items: diffItems(before.items, after.items) };
  }
  if (before.kind === 'code' && after.kind === 'code') {
    return { kind: 'code', lines: diffLines(before.text, after.text) };
  }
  if (before.kind === 'table' && after.kind === 'table') {
    return { kind: 'table', rows: diffRows(before.rows, after.rows) };
  }
  const inlines = diffInlines(inlinesIn(before), inlinesIn(after));
  return after.kind === 'heading'
    ? { kind: 'heading', level: after.level, inlines }
    : { kind: 'paragraph', inlines };
}

function inlinesIn(block: Block): readonly Inline[] {
  return 'inlines' in block ? block.inlines : [];
}

function diffItems(before: readonly ListItem[], after: readonly ListItem[]): ItemChange[] {
  return paired(before, after, (one, other) => shareWords(one.blocks, other.blocks)).map(
    (pair): ItemChange =>
      pair.change === 'pair'
        ? {
            change: 'inside',
            blocks: diffBlocks(pair.before.blocks, pair.after.blocks),
            checked: { before: pair.before.checked, after: pair.after.checked },
          }
        : pair,
  );
}

function diffLines(before: string, after: string): LineChange[] {
  return differences(before.split('\n'), after.split('\n')).flatMap((part): LineChange[] =>
    'same' in part
      ? part.same.map((text) => ({ change: 'same' as const, text }))
      : [
          ...part.removed.map((text) => ({ change: 'removed' as const, text })),
          ...part.added.map((text) => ({ change: 'added' as const, text })),
        ],
  );
}

function diffRows(before: readonly TableCell[][], after: readonly TableCell[][]): RowChange[] {
  return paired(before, after, shareWords).map((pair): RowChange =>
    pair.change === 'pair'
      ? {
          change: 'inside',
          cells: pair.after.map(({ blocks }, column) =>
            diffCell(pair.before[column]?.blocks ?? [], blocks),
          ),
        }
      : { change: pair.change, cells: pair.item },
  );
}

/** The text of a cell stays in one line, however much of it changed. */
function diffCell(before: readonly Block[], after: readonly Block[]): BlockChange[] {
  const [old, fresh] = [before, after].map((blocks) =>
    blocks.length === 1 ? blocks[0] : undefined,
  );
  if (old?.kind !== 'paragraph' || fresh?.kind !== 'paragraph') return diffBlocks(before, after);
  if (JSON.stringify(old) === JSON.stringify(fresh)) return [{ change: 'same', block: fresh }];
  return [{ change: 'inside', block: mix(old, fresh) }];
}

/** Words, the letters of scripts without spaces, and every space and sign. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_]/gu;

/** Returns the inlines of both versions. A word whose formatting changed counts as replaced. */
export function diffInlines(before: readonly Inline[], after: readonly Inline[]): InlineChange[] {
  const parts = joinRewrites(differences(byWords(before), byWords(after)));
  return parts.flatMap((part): InlineChange[] =>
    'same' in part
      ? joined('same', part.same)
      : [...joined('removed', part.removed), ...joined('added', part.added)],
  );
}

function byWords(inlines: readonly Inline[]): Inline[] {
  return inlines.flatMap((inline): Inline[] =>
    inline.kind === 'text'
      ? (inline.text.match(WORDS) ?? []).map((text) => ({ ...inline, text }))
      : [inline],
  );
}

/** Joins changes with only spaces or punctuation between them: somebody has rewritten the phrase. */
function joinRewrites(parts: readonly Part<Inline>[]): Part<Inline>[] {
  const result: Part<Inline>[] = [];
  for (const [index, part] of parts.entries()) {
    const last = result.at(-1);
    const isBetween = index < parts.length - 1 && last && !('same' in last);
    if ('same' in part && isBetween && part.same.every(isNoWord)) {
      last.removed.push(...part.same);
      last.added.push(...part.same);
    } else if (!('same' in part) && last && !('same' in last)) {
      last.removed.push(...part.removed);
      last.added.push(...part.added);
    } else {
      result.push('same' in part ? part : { removed: [...part.removed], added: [...part.added] });
    }
  }
  return result;
}

function isNoWord(inline: Inline): boolean {
  return inline.kind === 'text' && !/[\p{L}\p{N}]/u.test(inline.text);
}

/** Joins the words with the same formatting. */
function joined(change: Change, inlines: readonly Inline[]): InlineChange[] {
  const result: InlineChange[] = [];
  for (const inline of inlines) {
    const last = result.at(-1)?.inline;
    if (
      last?.kind === 'text' &&
      inline.kind === 'text' &&
      JSON.stringify(last.marks) === JSON.stringify(inline.marks)
    ) {
      last.text += inline.text;
    } else {
      result.push({ change, inline: { ...inline } });
    }
  }
  return result;
}

interface FoldedSection {
  isFolded: boolean;
  blocks: BlockChange[];
}

/** Number of unchanged blocks to show next to a change. */
const CONTEXT = 2;
/** Shorter unchanged parts are shown. */
const FOLDED_FROM = 4;

/** Folds long unchanged parts, except next to changes. */
export function fold(blocks: readonly BlockChange[]): FoldedSection[] {
  const isNear = blocks.map((_, index) =>
    blocks
      .slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1)
      .some(({ change }) => change !== 'same'),
  );
  const sections: FoldedSection[] = [];
  for (const [index, block] of blocks.entries()) {
    const isFolded = isNear[index] !== true;
    const last = sections.at(-1);
    if (last?.isFolded === isFolded) last.blocks.push(block);
    else sections.push({ isFolded, blocks: [block] });
  }
  return sections.map((section) => ({
    ...section,
    isFolded: section.isFolded && section.blocks.length >= FOLDED_FROM,
  }));
}
