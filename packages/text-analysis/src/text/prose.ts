import type { TextRange } from '../analysis.js';

/** Replaces each masked UTF-16 unit. No rule treats it as a letter, punctuation or white space. */
export const MASK = '￼';

/** Stands for code, URLs and variables. As a noun, it is correct after `a`, `the`, `some` and a verb. */
export const PLACEHOLDER = 'JSON';

/** A passage that is not prose. Relative to the paragraph. */
export interface MaskedRange extends TextRange {
  /** Text that a reader hears instead: nothing for an emphasis marker, a noun for inline code, a space for a line break. */
  reads: string;
  /** The passage, if it is an identifier or date that style rules may match. */
  term?: string;
}

/** A paragraph, heading, list item or cell. Ranges are in the whole text. */
export interface Paragraph extends TextRange {
  kind: 'paragraph' | 'heading' | 'list-item' | 'cell' | 'quote';
  /** Level of a heading, 1 to 6. */
  depth?: number;
  /**
   * Prose with the length of the passage. Everything else (code, URLs, link targets, HTML, template variables, Markdown
   * markers) is masked with `MASK`. A position here plus `start` is a position in the text.
   */
  prose: string;
  /** In order, without overlaps. Findings that touch one are dropped. */
  masked: MaskedRange[];
}

const LINK = '(?:https?|ftp|ssh|git|file|wss?|mailto|tel|data|postgres(?:ql)?|redis)';

/**
 * Patterns of passages that are not prose, in order of precedence. Each takes linear time and is only tried if `signs`
 * matches. They read as the placeholder by default.
 */
const NO_PROSE: { signs: RegExp; pattern: RegExp; reads?: string; isTerm?: true }[] = [
  // Template variables: {{x}}, ${x}, {x}, {n, plural, one {x} other {y}}, <%= x %>, {% x %}, %{x}, [[x]], $(x), <<x>>
  {
    signs: /[{[]|<%|\$\(|<</,
    pattern:
      /\{\{[^{}]{0,500}\}\}|\{%[^{}]{0,500}%\}|[$%#@]?\{[^{}\n]{0,200}(?:\{[^{}\n]{0,200}\}[^{}\n]{0,200}){0,10}\}|<%[^<>]{0,500}%>|\[\[[^[\]\n]{0,200}\]\]|\$\([^()\n]{1,200}\)|<<[^<>\n]{1,200}>>/g,
  },
  // printf directives, with names as in Python and Ruby: %s, %1$s, %-10s, %5.2f, %(name)s, %<name>s
  {
    signs: /%/,
    pattern:
      /%(?:\d{1,3}\$|\([^()\n]{1,100}\)|<[^<>\n]{1,100}>)?[-+#]?\d{0,5}(?:\.\d{1,5})?(?:(?:hh?|ll?)?[sdifuxXcoeEgGrp]\b|@)/g,
  },
  // Attributes and short codes: name="value", :name='value', [name key="value"], [/name]
  {
    signs: /=["']|\[\//,
    pattern:
      /\[[\w-]{1,60}(?:\s{1,5}[\w-]{1,60}=(?:"[^"\n]{0,200}"|'[^'\n]{0,200}')){1,20}\s{0,5}\/?\]|\[\/[\w-]{1,60}\]|(?<!\S)[^\s"'=<>￼]{1,80}=(?:"[^"\n]{0,200}"|'[^'\n]{0,200}')/g,
  },
  // Tags in plain text. In Markdown the parser finds them.
  { signs: /</, pattern: /<\/?[a-zA-Z][^<>\n]{0,300}>|<!--[^<>]{0,500}-->/g, reads: '' },
  // Code between backticks in plain text.
  { signs: /`/, pattern: /``(?!`)[^\n]{1,200}?(?<!`)``(?!`)|`[^`\n]{1,200}`/g },
  // Addresses of links in plain text.
  { signs: /\]\(/, pattern: /(?<=\])\([^()\s]{1,500}(?:\s{1,5}"[^"\n]{0,200}")?\)/g, reads: '' },
  // Names of containers and admonitions, and unknown entities: :::note, !!! note, &x;
  {
    signs: /:::|!!!|&/,
    pattern: /^(?::{3,10}|!!!)[ \t]{0,5}[\w-]{0,60}|&#?\w{1,40};/gm,
    reads: '',
  },
  // Mathematics: $x^2$, $$ … $$, but not two prices.
  {
    signs: /\$/,
    pattern:
      /\$\$[^$]{1,1000}\$\$|\$(?![\s\d])[^$\n]{1,200}(?<!\s)\$(?!\d)|\$\d[^$\n]{0,60}[\\^_=+][^$\n]{0,60}(?<!\s)\$(?!\d)/g,
  },
  // URLs, email addresses and hosts.
  { signs: /:/, pattern: new RegExp(`\\b${LINK}:[^\\s<>"'\`]{1,2000}(?<![.,;:!?)\\]*_])`, 'gi') },
  { signs: /@/, pattern: /\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}/g },
  { signs: /www/i, pattern: /\bwww\.[^\s<>"'`]{1,2000}(?<![.,;:!?)\]*_])/gi },
  // Hosts with a path: x.org/a
  {
    signs: /\w\.[a-z]+\//,
    pattern: /\b(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}\/(?:[^\s<>"'`]{0,500}(?<![.,;:!?)\]*_]))?/g,
  },
  // Dates, which look like paths.
  { signs: /\d\//, pattern: /(?<![\w/])\d{1,4}\/\d{1,2}\/\d{1,4}(?![\w/])/g, isTerm: true },
  // Paths: /etc/x, ./x, ~/x, C:\x, src/x.ts, @scope/name, globs
  { signs: /[/\\]/, pattern: /(?<![\w/.])(?:~|\.{1,2})?[/\\](?::?[\w.@+*-]{1,200}[/\\]?){1,20}/g },
  { signs: /:[/\\]/, pattern: /\b[a-zA-Z]:[/\\][^\s"'`<>|]{0,500}/g },
  { signs: /@/, pattern: /@[\w.-]{1,100}(?:\/[\w.-]{1,100}){0,3}/g },
  {
    signs: /\//,
    pattern: /(?<![\w/])[\w.-]{1,100}(?:\/[\w.*-]{1,100}){1,20}(?:\.\w{1,8}|\/)(?!\w)/g,
  },
  { signs: /\/.*\//, pattern: /(?<![\w/])[\w.-]{1,100}(?:\/[\w.*-]{1,100}){2,20}/g },
  // Emoji codes, parameters and variables: :tada:, :name, %NAME%, $name
  { signs: /:/, pattern: /(?<![\w:]):[a-z0-9_+-]{1,40}:(?![\w:])/gi, reads: '' },
  { signs: /:/, pattern: /(?<=[\s(]):[a-zA-Z_]\w{1,60}\b(?!:)/g },
  { signs: /[%$]/, pattern: /%\w{2,40}%|\$[a-zA-Z_]\w{0,60}/g },
  // Flags and dotfiles.
  { signs: /-/, pattern: /(?<![\w-])--?[a-zA-Z][\w-]{0,60}(?:=[^\s,;]{1,100})?/g },
  { signs: /\./, pattern: /(?<![\w.])\.[a-zA-Z][\w-]{1,60}\b/g },
  // Calls, indexing and members: f(), a.b.c, a::b, a->b, a[0]
  { signs: /\(\)/, pattern: /\b[\w$]{1,80}(?:\.[\w$]{1,80}){0,10}\(\)/g },
  { signs: /::|->|#/, pattern: /\b[\w$]{1,80}(?:(?:::|->|#)[\w$]{1,80}){1,10}/g },
  {
    signs: /\./,
    pattern:
      /\b(?![ei]\.[eg]\b|[ap]\.m\b|[A-Z](?:\.[A-Z])+\b)(?:[\w$]{1,40}-){0,5}[\w$]*[A-Za-z_$][\w$]*(?:\.[\w$-]{1,80}){1,10}(?<![.-])(?<!\.[A-Z][a-z]{1,20})/g,
  },
  // Versions, hashes, issue numbers and dates.
  { signs: /\d/, pattern: /\bv?\d{1,10}(?:[.:-]\w{1,20}){1,8}\b|\bv\d{1,6}\b/g, isTerm: true },
  { signs: /#/, pattern: /#\w{1,40}/g },
  { signs: /\d/, pattern: /\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b/g },
  // Identifiers: snake_case, CONST_CASE, camelCase, words with digits.
  { signs: /_/, pattern: /\b(?:\w{1,80}_\w{0,80}|_\w{1,80})\b/g },
  {
    signs: /[a-z][A-Z]/,
    pattern: /\b[a-zA-Z]{0,40}[a-z][A-Z][a-zA-Z]{0,60}\b/g,
    isTerm: true,
  },
  {
    signs: /\d/,
    pattern:
      /\b(?=\d{0,20}[a-zA-Z])(?!\d{1,6}(?:st|nd|rd|th|s|ms|kb|mb|gb|px|am|pm|k|m|x|d)\b)(?=[a-zA-Z]{0,40}\d)[a-zA-Z\d]{2,60}\b/gi,
    isTerm: true,
  },
];

/**
 * Mathematics in TeX, such as `\(x^2\)` and `\[x^2\]`, also with the two backslashes that some Markdown processors need. The
 * same signs escape brackets in Markdown, as in `word\(s\)`.
 */
const TEX =
  /(?<![\p{L}\p{N}\\])\\{1,2}\(([^]{1,500}?)\\{1,2}\)|(?<!\\)\\{1,2}\[([^]{1,1000}?)\\{1,2}\]/gu;
const OPERATOR = /[=^_{}|<>+]|\s[-*/]\s|\\[a-z]/i;
/** Two words in a row. */
const PHRASE = /\p{L}{2}[,;:]?\s+\p{L}{2}/u;

/** Returns true for a formula between `\[` and `\]`, which escape brackets in Markdown: it has an operator. */
export function isDisplayFormula(content: string): boolean {
  return OPERATOR.test(content);
}

/** Returns true for a formula between `\(` and `\)`: it has an operator, or no phrase of several words. */
function isInlineFormula(content: string): boolean {
  return OPERATOR.test(content) || (/[\p{L}\p{N}]/u.test(content) && !PHRASE.test(content));
}

/** Adds a paragraph if it contains a letter or digit. `marks` are the masks that the format requires. */
export function addParagraph(
  paragraphs: Paragraph[],
  text: string,
  place: TextRange & Pick<Paragraph, 'kind' | 'depth'>,
  marks: MaskedRange[],
): void {
  const source = text.slice(place.start, place.end);
  const relative = marks
    .map((mark) => ({ ...mark, start: mark.start - place.start, end: mark.end - place.start }))
    .filter((mark) => mark.start < mark.end);
  // Their brackets are escapes in Markdown, so they are looked for in the source.
  if (/\\[([]/.test(source)) {
    for (const { 0: formula, 1: inline, 2: display = '', index } of source.matchAll(TEX)) {
      if (inline === undefined ? isDisplayFormula(display) : isInlineFormula(inline))
        relative.push({ start: index, end: index + formula.length, reads: PLACEHOLDER });
    }
  }
  let prose = withMasks(source, relative);
  for (const { pattern, signs, reads = PLACEHOLDER, isTerm } of NO_PROSE) {
    if (!signs.test(prose)) continue;
    const found: MaskedRange[] = [];
    for (const match of prose.matchAll(pattern)) {
      const range = { start: match.index, end: match.index + match[0].length, reads };
      found.push(isTerm ? { ...range, term: match[0] } : range);
    }
    if (found.length === 0) continue;
    for (const range of found) relative.push(range);
    prose = withMasks(prose, found);
  }
  const masked = merged(relative, source);
  const start = prose.length - prose.trimStart().length;
  if (start === prose.length || !/[\p{L}\p{N}]/u.test(prose)) return;
  paragraphs.push({ ...place, prose, masked });
}

/** Returns the paragraph with its identifiers and dates unmasked. */
export function withTerms(paragraph: Paragraph): Paragraph {
  const { masked, prose } = paragraph;
  const parts: string[] = [];
  let last = 0;
  for (const { start, end, term } of masked) {
    if (term?.length !== end - start) continue;
    parts.push(prose.slice(last, start), term);
    last = end;
  }
  parts.push(prose.slice(last));
  return {
    ...paragraph,
    prose: parts.join(''),
    masked: masked.filter(({ term }) => term === undefined),
  };
}

function withMasks(source: string, ranges: TextRange[]): string {
  if (ranges.length === 0) return source;
  const parts: string[] = [];
  let last = 0;
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    if (end <= last) continue;
    const from = Math.max(start, last);
    parts.push(source.slice(last, from), MASK.repeat(end - from));
    last = end;
  }
  parts.push(source.slice(last));
  return parts.join('');
}

/** Merges overlapping masks. A merged mask reads as the first one that has a reading. */
function merged(ranges: MaskedRange[], source: string): MaskedRange[] {
  const result: MaskedRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result[result.length - 1];
    if (last && range.start < last.end) {
      last.end = Math.max(last.end, range.end);
      last.reads ||= range.reads;
      delete last.term;
    } else result.push({ ...range });
  }
  for (const range of result) {
    // A mask never splits a surrogate pair.
    if (isLowSurrogate(source, range.start)) range.start -= 1;
    if (isLowSurrogate(source, range.end)) range.end += 1;
  }
  return result;
}

export function trimmed(text: string, { start, end }: TextRange): TextRange {
  while (start < end && /\s/.test(text.charAt(start))) start += 1;
  while (end > start && /\s/.test(text.charAt(end - 1))) end -= 1;
  return { start, end };
}

export function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (!(code >= 0xdc00 && code <= 0xdfff)) return false;
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}
