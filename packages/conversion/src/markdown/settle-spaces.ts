import { sameMarks, type Inline, type Marks, type TextRun } from '../rich-text/rich-text.js';

/** Marks that are invisible on a space. */
const UNSEEN = ['bold', 'italic'] as const;

/**
 * Makes a space between words bold or italic only if both words are, because Markdown cannot end bold text after a space.
 */
export function settleSpaces(inlines: readonly Inline[]): Inline[] {
  const parts = inlines.flatMap(splitSpaces);
  const before = marksOfWords(parts);
  const after = marksOfWords(parts.toReversed()).toReversed();
  const settled = parts.map((part, index): Inline => {
    if (part.kind !== 'text' || !isSpace(part)) return part;
    const marks: Marks = { ...part.marks };
    for (const mark of UNSEEN) {
      const both = before[index]?.[mark] && after[index]?.[mark];
      if (both) marks[mark] = true;
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete
      else delete marks[mark];
    }
    return { ...part, marks };
  });
  return joined(settled);
}

/** Returns, for each part, the marks of the last word before its end. */
function marksOfWords(parts: readonly Inline[]): Marks[] {
  let marks: Marks = {};
  return parts.map((part) => {
    if (part.kind !== 'text') marks = {};
    else if (!isSpace(part)) marks = part.marks;
    return marks;
  });
}

function splitSpaces(inline: Inline): Inline[] {
  if (inline.kind !== 'text' || inline.marks.code) return [inline];
  const { text: whole } = inline;
  const words = whole.trim();
  const start = whole.length - whole.trimStart().length;
  return [whole.slice(0, start), words, whole.slice(start + words.length)]
    .filter((text) => text !== '')
    .map((text) => ({ kind: 'text', text, marks: inline.marks }));
}

function isSpace({ marks, text }: TextRun): boolean {
  return !marks.code && text.trim() === '';
}

function joined(inlines: readonly Inline[]): Inline[] {
  const result: Inline[] = [];
  for (const inline of inlines) {
    const last = result.at(-1);
    if (last?.kind === 'text' && inline.kind === 'text' && sameMarks(last.marks, inline.marks)) {
      last.text += inline.text;
    } else {
      result.push(inline.kind === 'text' ? { ...inline } : inline);
    }
  }
  return result;
}
