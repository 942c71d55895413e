import { applyEdits, textEdits, type Edit } from './text-edits.js';

/** From `from` up to before `to`, in UTF-16 units. */
export interface Range {
  from: number;
  to: number;
}

/** A passage that both sides changed, each in its own way. */
export interface Overlap {
  /** Where the passage is in the merged text, and in theirs. */
  merged: Range;
  inTheirs: Range;
  /** What each side has there. */
  yours: string;
  theirs: string;
  /** Indexes of the held passages in it. */
  held: number[];
  /** False for a held passage that they have not changed again. */
  isNew: boolean;
}

/** A passage of your text that stands for a passage of the base, whatever a comparison of the texts finds. */
interface HeldPassage {
  base: Range;
  yours: Range;
}

interface MergeOptions {
  /** Whose words the merged text has where both sides changed the same passage. */
  prefer?: 'yours' | 'theirs';
  /** In the order of the text, and apart from each other. They are overlaps of this merge too. */
  held?: readonly HeldPassage[];
}

export interface TextMerge {
  text: string;
  /** In the order of the text. */
  overlaps: Overlap[];
  /** The edits that turn your text into the merged one. */
  edits: Edit[];
}

/** Merges what both sides made of `base`, by lines and within them by words. */
export function mergeText(
  base: string,
  yours: string,
  theirs: string,
  { prefer = 'yours', held = [] }: MergeOptions = {},
): TextMerge {
  if (held.length === 0 && (theirs === base || yours === theirs)) {
    return { text: yours, overlaps: [], edits: [] };
  }
  const builder = new MergeBuilder(base, prefer);
  for (const group of groupsOf(yourEdits(base, yours, held), textEdits(base, theirs))) {
    builder.add(group);
  }
  return builder.finish();
}

interface YourEdit extends Edit {
  /** Index of the held passage that it is. */
  held?: number;
}

/** The edits of your text between the held passages, and the held passages as edits. */
function yourEdits(base: string, yours: string, held: readonly HeldPassage[]): YourEdit[] {
  const edits: YourEdit[] = [];
  let [at, yourAt] = [0, 0];
  const compare = (to: number, yourTo: number) => {
    for (const edit of textEdits(base.slice(at, to), yours.slice(yourAt, yourTo))) {
      edits.push({ from: at + edit.from, to: at + edit.to, insert: edit.insert });
    }
  };
  held.forEach((passage, index) => {
    compare(passage.base.from, passage.yours.from);
    const insert = yours.slice(passage.yours.from, passage.yours.to);
    edits.push({ ...passage.base, insert, held: index });
    [at, yourAt] = [passage.base.to, passage.yours.to];
  });
  compare(base.length, yours.length);
  return edits;
}

/** Edits of one or both sides that touch each other, and the range of the base that they cover. */
interface Group extends Range {
  yours: YourEdit[];
  theirs: Edit[];
}

function groupsOf(yours: readonly YourEdit[], theirs: readonly Edit[]): Group[] {
  const groups: Group[] = [];
  // Stable, so that edits of one side at the same place keep their order.
  const all = [
    ...yours.map((edit) => ({ edit, isYours: true })),
    ...theirs.map((edit) => ({ edit, isYours: false })),
  ].sort((one, other) => one.edit.from - other.edit.from);
  for (const { edit, isYours } of all) {
    let group = groups.at(-1);
    // Your own edits beside a held passage stay apart from it.
    const touches = group && edit.from <= group.to && (!isYours || group.theirs.length > 0);
    if (!group || !touches) {
      group = { from: edit.from, to: edit.to, yours: [], theirs: [] };
      groups.push(group);
    }
    group.to = Math.max(group.to, edit.to);
    group[isYours ? 'yours' : 'theirs'].push(edit);
  }
  return joinTouching(groups);
}

/** Joins groups that touch, where one of them has edits of the other side. */
function joinTouching(groups: readonly Group[]): Group[] {
  const joined: Group[] = [];
  for (const group of groups) {
    const last = joined.at(-1);
    const isBoth = last && (last.theirs.length > 0 || group.theirs.length > 0);
    if (last && isBoth && group.from <= last.to) {
      last.to = Math.max(last.to, group.to);
      last.yours.push(...group.yours);
      last.theirs.push(...group.theirs);
    } else {
      joined.push(group);
    }
  }
  return joined;
}

/** Puts the merged text together, group by group. */
class MergeBuilder {
  private readonly overlaps: Overlap[] = [];
  private readonly edits: Edit[] = [];
  private readonly parts: string[] = [];
  /** How far the base is done, and the lengths of the three texts up to there. */
  private at = 0;
  private merged = 0;
  private inYours = 0;
  private inTheirs = 0;

  constructor(
    private readonly base: string,
    private readonly prefer: 'yours' | 'theirs',
  ) {}

  add({ from, to, yours, theirs }: Group): void {
    this.keep(from);
    const yourText = this.sideOf({ from, to }, yours);
    const theirText = this.sideOf({ from, to }, theirs);
    const held = yours.flatMap(({ held: index }) => index ?? []);
    const areBoth = yours.length > 0 && theirs.length > 0 && yourText !== theirText;
    const takesTheirs =
      yours.length === 0 || ((areBoth || held.length > 0) && this.prefer === 'theirs');
    const text = takesTheirs ? theirText : yourText;
    if (areBoth || held.length > 0) {
      this.overlaps.push({
        merged: { from: this.merged, to: this.merged + text.length },
        inTheirs: { from: this.inTheirs, to: this.inTheirs + theirText.length },
        yours: yourText,
        theirs: theirText,
        held,
        isNew: theirs.length > 0,
      });
    }
    if (takesTheirs && yourText !== theirText) {
      this.edits.push({
        from: this.inYours,
        to: this.inYours + yourText.length,
        insert: theirText,
      });
    }
    this.parts.push(text);
    this.at = to;
    this.merged += text.length;
    this.inYours += yourText.length;
    this.inTheirs += theirText.length;
  }

  finish(): TextMerge {
    this.keep(this.base.length);
    return { text: this.parts.join(''), overlaps: this.overlaps, edits: this.edits };
  }

  /** Keeps the base up to `to`, which nobody changed. */
  private keep(to: number): void {
    const text = this.base.slice(this.at, to);
    this.parts.push(text);
    this.at = to;
    this.merged += text.length;
    this.inYours += text.length;
    this.inTheirs += text.length;
  }

  private sideOf({ from, to }: Range, edits: readonly Edit[]): string {
    const within = edits.map(({ insert, ...edit }) => ({
      from: edit.from - from,
      to: edit.to - from,
      insert,
    }));
    return applyEdits(this.base.slice(from, to), within);
  }
}
