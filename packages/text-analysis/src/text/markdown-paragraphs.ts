import { readMarkdown, type MarkdownInline } from '@document-service/markdown/read-markdown';
import type { TextRange } from '../analysis.js';
import { addParagraph, PLACEHOLDER, type MaskedRange, type Paragraph } from './prose.js';

/** Returns the prose of a Markdown text: paragraphs, headings, items and cells, with everything else masked. */
export function markdownParagraphs(source: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const { inlines, ...block } of readMarkdown(source)) {
    const masks: MaskedRange[] = [];
    maskInlines(masks, source, inlines, block);
    addParagraph(paragraphs, source, block, masks);
  }
  return paragraphs;
}

/** Elements whose content is code or keys. */
const CODE_ELEMENT = /^<(\/?)(code|kbd|samp|var|tt|pre|script|style|svg|math)\b/i;

function maskInlines(
  masks: MaskedRange[],
  source: string,
  inlines: MarkdownInline[],
  within: TextRange,
): void {
  let last = within.start;
  let codeFrom = -1;
  for (const [index, inline] of inlines.entries()) {
    const { start, end } = inline;
    // Only Markdown markers and line indentation come between two parts.
    if (start > last) masks.push(...gapMasks(source, { start: last, end: start }, inlines, index));
    last = end;
    const element = inline.type === 'html' ? CODE_ELEMENT.exec(inline.value) : null;
    if (element && !element[1] && codeFrom < 0) codeFrom = start;
    else if (element?.[1] && codeFrom >= 0) {
      masks.push({ start: codeFrom, end, reads: PLACEHOLDER });
      codeFrom = -1;
      continue;
    }
    maskInline(masks, source, inline);
  }
  if (codeFrom >= 0) masks.push({ start: codeFrom, end: within.end, reads: PLACEHOLDER });
  if (within.end > last) masks.push({ start: last, end: within.end, reads: '' });
}

const READS_AS_TEXT: ReadonlySet<string> = new Set(['text', 'escape', 'entity', 'line-end']);

/** Masks a gap. Prose continues across lines, so only the `>` of a quote is masked there. */
function gapMasks(
  source: string,
  gap: TextRange,
  inlines: MarkdownInline[],
  index: number,
): MaskedRange[] {
  const goesOn =
    READS_AS_TEXT.has(inlines[index]?.type ?? '') &&
    READS_AS_TEXT.has(inlines[index - 1]?.type ?? '');
  if (goesOn && source.slice(gap.start, gap.end).trim() === '') return [];
  return [{ ...gap, reads: '' }];
}

function maskInline(masks: MaskedRange[], source: string, inline: MarkdownInline): void {
  const { type, start, end, value } = inline;
  switch (type) {
    case 'text':
    case 'line-end':
      break;
    case 'escape':
      // A backslash is literal unless punctuation follows.
      if (value.length < end - start) masks.push({ start, end: start + 1, reads: '' });
      break;
    case 'entity':
      masks.push({ start, end, reads: value });
      break;
    case 'code':
      masks.push({ start, end, reads: PLACEHOLDER });
      break;
    case 'break':
      masks.push({ start, end, reads: ' ' });
      break;
    case 'html':
      masks.push({ start, end, reads: /^<br\b/i.test(value) ? ' ' : '' });
      break;
    case 'reference':
      maskReference(masks, source, inline);
      break;
    case 'link':
      if (!inline.inlines || isNameOfTarget(inline, source))
        masks.push({ start, end, reads: PLACEHOLDER });
      else maskInlines(masks, source, inline.inlines, inline);
      break;
    default:
      masks.push({ start, end, reads: '' });
  }
}

/** Masks a label that is the name of its definition, because a change would break the link. */
function maskReference(masks: MaskedRange[], source: string, inline: MarkdownInline): void {
  const { start, end } = inline;
  const link = source.slice(start, end);
  if (isNameOfDefinition(link)) masks.push({ start, end, reads: readingOfName(link) });
  else maskInlines(masks, source, inline.inlines ?? [], inline);
}

/** Returns true for `[label]` and `[label][]`: with another label, they are no links. */
function isNameOfDefinition(link: string): boolean {
  return /^\[[^[\]]*\](?:\[\])?$/.test(link);
}

function readingOfName(link: string): string {
  const label = link.slice(1, link.indexOf(']'));
  return /^[\p{L}\p{N} '’.-]+$/u.test(label) ? label : PLACEHOLDER;
}

/** Returns true if the label is the address, or the name of its target, as in `[lodash](https://…/lodash)`. */
function isNameOfTarget({ start, end, value }: MarkdownInline, source: string): boolean {
  const labelEnd = source.indexOf(']', start);
  if (labelEnd < 0 || labelEnd > end) return false;
  const label = source.slice(start + 1, labelEnd);
  return (
    /^[\w.@-]+$/.test(label) &&
    value.toLowerCase().includes(label.toLowerCase()) &&
    /[/.]/.test(value)
  );
}
