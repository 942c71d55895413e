import {
  diffArrays,
  FILE_HEADERS_ONLY,
  formatPatch,
  structuredPatch,
  type StructuredPatch,
} from 'diff';

/** A part of a hunk. The old text is all segments except the added ones; the new text is all except the removed ones. */
interface Segment {
  type: 'equal' | 'added' | 'removed';
  text: string;
}

/** A difference between two contents, with context lines. Line numbers start at 1, as in a unified diff. */
interface DiffHunk {
  fromLine: number;
  fromLines: number;
  toLine: number;
  toLines: number;
  /** The hunk by words, including line breaks. */
  segments: Segment[];
}

export interface ContentDiff {
  /** A unified diff for patch tools; empty if the contents are equal. */
  unified: string;
  hunks: DiffHunk[];
  stats: { addedLines: number; removedLines: number; addedWords: number; removedWords: number };
  /** True if the diff is correct but possibly longer than necessary, because a comparison hit its limits. */
  approximate: boolean;
}

/** Names of the two contents in a unified diff. */
export interface DiffLabels {
  from: string;
  to: string;
}

type PatchHunk = StructuredPatch['hunks'][number];

/** Unchanged lines before and after a change. */
const CONTEXT = 3;
/** Time limit for comparing lines, and again for comparing the words of changed lines. */
const TIME_LIMIT_MS = 1_000;
/** Maximum number of added and removed lines or words. Memory use is quadratic in it. */
const MAX_EDITS = 1_500;
const NO_LINE_FEED = '\\ No newline at end of file';

/**
 * Matches a word, whitespace, or any other character with its combining marks. In scripts without spaces, each character
 * is a token, because finding words would need a dictionary.
 */
const TOKEN =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]\p{M}*|(?:(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}])[\p{L}\p{N}\p{M}_])+|\s+|[^](?:\p{M}|\u200d[^])*/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Returns the difference between two contents by lines and words. Lines end with `\n`; the `\r` of `\r\n` is part of the
 * line. Text that takes too long to compare is reported as entirely replaced.
 */
export function diffContents(from: string, to: string, labels: DiffLabels): ContentDiff {
  const found = structuredPatch(labels.from, labels.to, from, to, undefined, undefined, {
    context: CONTEXT,
    timeout: TIME_LIMIT_MS,
    maxEditLength: MAX_EDITS,
  });
  const patchHunks = found?.hunks ?? [replacedMiddle(linesOf(from), linesOf(to))];
  const words = new WordComparison();
  const hunks = patchHunks.map((hunk) => hunkOf(hunk, words));
  const patch = {
    oldFileName: labels.from,
    newFileName: labels.to,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: patchHunks,
  };
  return {
    unified: hunks.length === 0 ? '' : formatPatch(patch, FILE_HEADERS_ONLY),
    hunks,
    stats: statsOf(patchHunks, hunks),
    approximate: !found || words.approximate,
  };
}

/** Returns one hunk that replaces everything between the common first and last lines. */
function replacedMiddle(from: string[], to: string[]): PatchHunk {
  const most = Math.min(from.length, to.length);
  let head = 0;
  while (head < most && from[head] === to[head]) head += 1;
  let tail = 0;
  while (tail < most - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1;
  const start = Math.max(0, head - CONTEXT);
  const after = from.slice(from.length - tail).slice(0, CONTEXT);
  const lines = [
    ...marked(' ', from.slice(start, head)),
    ...marked('-', from.slice(head, from.length - tail)),
    ...marked('+', to.slice(head, to.length - tail)),
    ...marked(' ', after),
  ];
  return {
    oldStart: start + 1,
    oldLines: from.length - tail + after.length - start,
    newStart: start + 1,
    newLines: to.length - tail + after.length - start,
    lines,
  };
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, NO_LINE_FEED],
  );
}

/** Returns the lines of a text with their line breaks; none for an empty text. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Converts a hunk. A side without lines has the number of the preceding line. */
function hunkOf(
  { oldStart, oldLines, newStart, newLines, lines }: PatchHunk,
  words: WordComparison,
): DiffHunk {
  const segments: Segment[] = [];
  let [removed, added] = ['', ''];
  const compare = () => {
    words.compare(removed, added, segments);
    [removed, added] = ['', ''];
  };
  lines.forEach((line, index) => {
    const text = line.slice(1) + (lines[index + 1] === NO_LINE_FEED ? '' : '\n');
    if (line.startsWith('-')) {
      // A removed line after an added one starts a new change.
      if (added !== '') compare();
      removed += text;
    } else if (line.startsWith('+')) added += text;
    else if (line.startsWith(' ')) {
      compare();
      addSegment(segments, 'equal', text);
    }
  });
  compare();
  return {
    fromLine: oldLines === 0 ? oldStart - 1 : oldStart,
    fromLines: oldLines,
    toLine: newLines === 0 ? newStart - 1 : newStart,
    toLines: newLines,
    segments,
  };
}

/** Compares changed lines by words, within the time limit of a diff. */
class WordComparison {
  /** True if lines were reported as replaced without comparing their words. */
  approximate = false;
  private leftMs = TIME_LIMIT_MS;

  compare(from: string, to: string, segments: Segment[]): void {
    const parts = from === '' || to === '' ? undefined : this.parts(from, to);
    if (parts) {
      for (const { added, removed, value } of parts) {
        addSegment(segments, added ? 'added' : removed ? 'removed' : 'equal', value.join(''));
      }
      return;
    }
    this.approximate ||= from !== '' && to !== '';
    addSegment(segments, 'removed', from);
    addSegment(segments, 'added', to);
  }

  private parts(from: string, to: string) {
    if (this.leftMs <= 0) return undefined;
    const start = performance.now();
    const parts = diffArrays(tokensOf(from), tokensOf(to), {
      timeout: this.leftMs,
      maxEditLength: MAX_EDITS,
    });
    this.leftMs -= performance.now() - start;
    return parts;
  }
}

/** Adds a segment, or extends the last one if it has the same type. */
function addSegment(segments: Segment[], type: Segment['type'], text: string): void {
  if (text === '') return;
  const last = segments.at(-1);
  if (last?.type === type) last.text += text;
  else segments.push({ type, text });
}

function statsOf(patch: readonly PatchHunk[], hunks: readonly DiffHunk[]): ContentDiff['stats'] {
  const marks = patch.flatMap(({ lines }) => lines.map((line) => line.charAt(0)));
  const segments = hunks.flatMap((hunk) => hunk.segments);
  const words = (type: Segment['type']) =>
    segments.reduce((sum, segment) => sum + (segment.type === type ? wordsIn(segment.text) : 0), 0);
  return {
    addedLines: marks.filter((mark) => mark === '+').length,
    removedLines: marks.filter((mark) => mark === '-').length,
    addedWords: words('added'),
    removedWords: words('removed'),
  };
}

/** Splits a text into tokens. Joined, they form the text. */
function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

function wordsIn(text: string): number {
  return tokensOf(text).filter((token) => LETTER_OR_DIGIT.test(token)).length;
}
