import type { TextRange } from '../analysis.js';
import { isDisplayFormula } from './prose.js';

/**
 * Front matter in YAML, TOML or JSON: its first line is a delimiter, and its second one has a key, a list item, a comment
 * or a brace. Other text between two lines is prose after a thematic break.
 */
const FRONT_MATTER =
  /^\ufeff?\s{0,100}(---|\+\+\+|;;;)[ \t]*(?:yaml|toml|json)?[ \t]*\r?\n(?:\s*(?:[^\s:=#{-][^:=\n]{0,100}[:=]|[#{]|- )[^]*?\r?\n|\s*)(?:\1|\.\.\.)[ \t]*(?:\r?\n|$)/;

const NAME = String.raw`[\w$]{1,200}`;
const NAMES = String.raw`\{[^{}'"\`;()]{0,2000}\}`;
const ALL = String.raw`\*\s{0,20}as\s{1,20}${NAME}`;
const MODULE = String.raw`(?:'[^'\n]{1,500}'|"[^"\n]{1,500}")`;
const ATTRIBUTES = String.raw`(?:(?:with|assert)[ \t]*\{[^{}\n]{0,200}\}[ \t]*)?`;
const LINE_END = String.raw`;?[ \t]*(?://[^\n]*)?(?:\r?\n|$)`;

/** An `import` of MDX with all of its lines. */
const IMPORT = new RegExp(
  String.raw`import\s{0,20}(?:(?:type\s{1,20})?(?:${NAME}|${ALL}|${NAMES})(?:\s{0,20},\s{0,20}(?:${ALL}|${NAMES}))?\s{0,20}from\s{0,20})?${MODULE}[ \t]*${ATTRIBUTES}${LINE_END}`,
  'y',
);

/** The start of an `export` of MDX. */
const EXPORT = new RegExp(
  String.raw`export\s{1,20}(?:${[
    String.raw`(?:const|let|var)\s{1,20}[\w$[{][^=\n]{0,200}=`,
    String.raw`(?:default\s{1,20})?(?:async\s{1,20})?function\b[\s*]{0,5}(?:${NAME})?\s?\(`,
    String.raw`(?:default\s{1,20})?class\s{1,20}${NAME}\s[^\n]{0,200}\{`,
    String.raw`default\s{1,20}(?:[[({]|[\w$.]{1,200}\s?(?:;|\(|=>|$))`,
    String.raw`${NAMES}\s{0,5}(?:from\b|;|$)`,
    String.raw`\*\s{0,5}(?:from|as)\b`,
    String.raw`type\s{1,20}${NAME}\s?=`,
    String.raw`interface\s{1,20}${NAME}\s?\{`,
  ].join('|')})`,
  'my',
);

/** The start of an environment of TeX. */
const ENVIRONMENT = /^\\begin\{([a-z]{1,30}\*?)\}/i;
const BLANK_LINE = /\n[ \t]*\r?\n/;
/** Maximum length of a formula in UTF-16 units. */
const LONGEST_MATH = 10_000;

const FENCE = /^ {0,3}(?:```|~~~)/;

/**
 * Returns a text of the same length in which code that Markdown does not mark as such is white space: front matter,
 * `import` and `export` of MDX, mathematics in TeX, and expressions in braces that fill whole lines, such as JSON. Takes linear time.
 */
export function withoutCodeBlocks(text: string): string {
  const ranges = codeBlocks(text);
  if (ranges.length === 0) return text;
  const parts: string[] = [];
  let last = 0;
  for (const { start, end } of ranges) {
    parts.push(text.slice(last, start), text.slice(start, end).replace(/[^\r\n]/g, ' '));
    last = end;
  }
  parts.push(text.slice(last));
  return parts.join('');
}

function codeBlocks(text: string): TextRange[] {
  const scanner = new CodeScanner(text);
  const ranges: TextRange[] = [];
  const frontMatter = FRONT_MATTER.exec(text)?.[0].length ?? 0;
  if (frontMatter > 0) ranges.push({ start: 0, end: frontMatter });
  let at = frontMatter;
  // Code begins a block: after a blank line, or after other code.
  let canBegin = true;
  while (at < text.length) {
    const end = canBegin ? scanner.codeEnd(at) : undefined;
    if (end !== undefined) {
      ranges.push({ start: at, end });
      at = end;
      continue;
    }
    const next = lineEnd(text, at);
    canBegin = isBlank(text.slice(at, next));
    at = next;
  }
  return ranges;
}

/** Finds where code ends. Searches beyond a block in vain only once. */
class CodeScanner {
  private someUnclosed = false;
  /** Comments that start before this position are not code. */
  private noCommentsBefore = 0;

  constructor(private readonly text: string) {}

  /** Returns the end of the code that begins at a line, or undefined if none does. */
  codeEnd(lineStart: number): number | undefined {
    const { text } = this;
    const at = text[lineStart] === '\ufeff' ? lineStart + 1 : lineStart;
    switch (text[at]) {
      case 'i':
        IMPORT.lastIndex = at;
        return IMPORT.test(text) ? IMPORT.lastIndex : undefined;
      case 'e':
        EXPORT.lastIndex = at;
        return EXPORT.test(text) ? this.exportEnd(at) : undefined;
      case '$':
        return text.startsWith('$$', at) ? this.mathEnd(at + 2, '$$') : undefined;
      case '\\':
        return this.texEnd(at);
      case '{':
        return text.startsWith('{/*', at) ? this.commentEnd(at) : this.expressionEnd(at);
      default:
        return undefined;
    }
  }

  /** A formula, or an environment such as `\begin{align}`. */
  private texEnd(at: number): number | undefined {
    const { text } = this;
    const environment = ENVIRONMENT.exec(text.slice(at, at + 60))?.[1];
    if (environment !== undefined) return this.mathEnd(at, `\\end{${environment}}`);
    const end = text.startsWith('\\[', at) ? this.mathEnd(at + 2, '\\]') : undefined;
    if (end === undefined) return undefined;
    const content = text.slice(at + 2, text.lastIndexOf('\\]', end));
    return isDisplayFormula(content) ? end : undefined;
  }

  /** Mathematics ends with a sign at the end of a line. It has no blank lines. */
  private mathEnd(start: number, sign: string): number | undefined {
    const block = this.text.slice(start, start + LONGEST_MATH);
    const blank = BLANK_LINE.exec(block)?.index ?? block.length;
    const end = block.slice(0, blank).indexOf(sign);
    return end < 0 ? undefined : this.restOfLine(start + end + sign.length);
  }

  /** An `export` ends where its brackets are closed. If they never are, it ends with its block. */
  private exportEnd(start: number): number {
    let depth = 0;
    let blockEnd: number | undefined;
    let last = start;
    for (const { at, end, line } of linesFrom(this.text, start)) {
      if (isBlank(line)) {
        blockEnd ??= at;
        if (depth <= 0 || this.someUnclosed) return blockEnd;
      } else if (FENCE.test(line)) break;
      depth += bracketsIn(line);
      if (depth <= 0 && /[;}]\s*$/.test(line)) return end;
      last = end;
    }
    this.someUnclosed = true;
    return blockEnd ?? last;
  }

  /** A comment is code if nothing follows it in its last line. */
  private commentEnd(start: number): number | undefined {
    if (start < this.noCommentsBefore) return undefined;
    const sign = this.text.indexOf('*/}', start);
    const end = sign < 0 ? undefined : this.restOfLine(sign + 3);
    if (end === undefined) this.noCommentsBefore = sign < 0 ? Infinity : sign;
    return end;
  }

  /** A block in braces is code if nothing follows the last one in its line. Otherwise it is a variable in a sentence. */
  private expressionEnd(start: number): number | undefined {
    let depth = 0;
    for (const { at, line } of linesFrom(this.text, start)) {
      if (isBlank(line)) return undefined;
      for (const { 0: brace, index } of line.matchAll(/[{}]/g)) {
        depth += brace === '{' ? 1 : -1;
        if (depth === 0) return this.restOfLine(at + index + 1);
      }
    }
    return undefined;
  }

  private restOfLine(at: number): number | undefined {
    const end = lineEnd(this.text, at);
    return isBlank(this.text.slice(at, end)) ? end : undefined;
  }
}

/** Returns the number of opening brackets minus that of closing ones, outside of strings. */
function bracketsIn(line: string): number {
  const code = line.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '');
  const opening = code.match(/[([{]/g)?.length ?? 0;
  return opening - (code.match(/[)\]}]/g)?.length ?? 0);
}

/** Returns the lines with their line breaks. */
function* linesFrom(
  text: string,
  start: number,
): Generator<{ at: number; end: number; line: string }> {
  for (let at = start; at < text.length;) {
    const end = lineEnd(text, at);
    yield { at, end, line: text.slice(at, end) };
    at = end;
  }
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline < 0 ? text.length : newline + 1;
}
