import type { InlineContext, MarkdownConfig } from '@lezer/markdown';

/** Labels of definitions, normalized, for the text that is being parsed. */
let definedLabels: ReadonlySet<string> = new Set();
/** Offsets of closing brackets that are text. */
let closing = new Set<number>();

/** A bracket is matched only within this many characters. */
const MAX_LENGTH = 2_000;

const [BACKSLASH, BACKTICK, OPEN, CLOSE] = [92, 96, 91, 93];

/**
 * Parses Markdown with known labels. Without them, Lezer takes every bracketed text for a link, and then the brackets
 * around it are none: `[[options]](#options)`.
 */
export function withLabels<Value>(labels: ReadonlySet<string>, parse: () => Value): Value {
  definedLabels = labels;
  closing = new Set();
  try {
    return parse();
  } finally {
    definedLabels = new Set();
    closing = new Set();
  }
}

/** The same for all spellings of a label. */
export function labelKey(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase().toUpperCase();
}

/** Returns the labels that a text may define. */
export function labelsIn(text: string): Set<string> {
  const labels = new Set<string>();
  for (const [, label = ''] of text.matchAll(/\[((?:[^[\]\\]|\\.)+)\]:/gs))
    labels.add(labelKey(label));
  return labels;
}

/** Reads brackets that are no link as text. */
export const textBrackets: MarkdownConfig = {
  parseInline: [
    {
      name: 'TextBracket',
      parse: (context, next, position) => {
        if (next === CLOSE && closing.has(position)) return position + 1;
        if (next !== OPEN) return -1;
        const end = matching(context, position);
        if (end === undefined || isLink(context, position, end)) return -1;
        closing.add(end);
        return position + 1;
      },
      before: 'Link',
    },
  ],
};

function isLink(context: InlineContext, from: number, end: number): boolean {
  const text = context.slice(from + 1, end);
  const after = context.slice(end + 1, end + 2);
  // References to footnotes are told apart later.
  if (after === '(' || text.startsWith('^')) return true;
  if (after === '[') {
    const labelEnd = matching(context, end + 1);
    const label = labelEnd === undefined ? '' : context.slice(end + 2, labelEnd);
    if (label !== '') return definedLabels.has(labelKey(label));
  }
  return definedLabels.has(labelKey(text));
}

/** Returns the offset of the bracket that closes the one at `from`. */
function matching(context: InlineContext, from: number): number | undefined {
  const last = Math.min(context.end, from + MAX_LENGTH);
  let depth = 0;
  for (let at = from; at < last; at += 1) {
    const character = context.char(at);
    if (character === BACKSLASH) at += 1;
    else if (character === BACKTICK) at = skipCode(context, at, last);
    else if (character === OPEN) depth += 1;
    else if (character === CLOSE) depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** Returns the offset of the last character of a code span, or of the backticks if they open none. */
function skipCode(context: InlineContext, from: number, last: number): number {
  const ticks = /^`+/.exec(context.slice(from, last))?.[0] ?? '`';
  const start = from + ticks.length;
  const end = new RegExp(`(?<!\`)${ticks}(?!\`)`).exec(context.slice(start, last))?.index;
  return end === undefined ? start - 1 : start + end + ticks.length - 1;
}
