import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';

const DEFINITION = /^\[\^([^\]\s[]{1,900})\]:[ \t]*/;
const REFERENCE = /\[\^([^\]\s[]{1,900})\]/y;

/** Number of columns by which continuation lines of a footnote are indented. */
const INDENT = 4;

/** A footnote as in the source. A type, because only those are assignable to the `meta` of a token. */
export type FootnoteMark = {
  /** `1` for `[^1]`. */
  label: string;
  /** The same for all spellings of a label. */
  key: string;
};

/**
 * Adds the footnotes of GitHub Flavored Markdown. A definition is a container like a list item: `footnote_open` and
 * `footnote_close`. A reference whose label has a definition anywhere is a `footnote_ref`. Their `meta` is a
 * {@link FootnoteMark}. Has no renderer.
 */
export function footnotes(parser: MarkdownIt): void {
  const markOf = (label: string): FootnoteMark => ({
    label,
    key: parser.utils.normalizeReference(label),
  });

  const definition = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => {
    const { bMarks, tShift, sCount, eMarks, blkIndent, parentType } = state;
    const [mark = 0, shift = 0, indent = 0] = [
      bMarks[startLine],
      tShift[startLine],
      sCount[startLine],
    ];
    if (indent - blkIndent >= 4 || !state.src.startsWith('[^', mark + shift)) return false;
    const line = state.src.slice(mark + shift, eMarks[startLine]);
    const [sign, label] = DEFINITION.exec(line) ?? [];
    if (sign === undefined || label === undefined) return false;
    if (silent) return true;

    const meta = markOf(label);
    definedIn(state.env).add(meta.key);
    state.push('footnote_open', '', 1).meta = meta;
    state.parentType = 'reference';
    state.blkIndent = blkIndent + INDENT;
    bMarks[startLine] = mark + shift + sign.length;
    tShift[startLine] = 0;
    sCount[startLine] = state.blkIndent;
    state.md.block.tokenize(state, startLine, endLine);
    bMarks[startLine] = mark;
    tShift[startLine] = shift;
    sCount[startLine] = indent;
    state.blkIndent = blkIndent;
    state.parentType = parentType;
    state.push('footnote_close', '', -1).meta = meta;
    return true;
  };

  const reference = (state: StateInline, silent: boolean) => {
    REFERENCE.lastIndex = state.pos;
    const [sign, label] = REFERENCE.exec(state.src) ?? [];
    if (sign === undefined || label === undefined) return false;
    const meta = markOf(label);
    if (!definedIn(state.env).has(meta.key)) return false;
    if (!silent) state.push('footnote_ref', '', 0).meta = meta;
    state.pos += sign.length;
    return true;
  };

  parser.block.ruler.before('reference', 'footnote_definition', definition, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  parser.inline.ruler.before('link', 'footnote_reference', reference);
}

/** The keys that have a definition. All blocks are read before the first inline. */
function definedIn(env: object): Set<string> {
  const known = env as { footnotes?: Set<string> };
  known.footnotes ??= new Set();
  return known.footnotes;
}
