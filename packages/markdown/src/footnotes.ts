import type { MarkdownIt, StateBlock } from 'markdown-it';

const DEFINITION = /^\[(\^[^\]\s[]{1,900})\]:[ \t]*/;

/** Number of columns by which continuation lines of a footnote are indented. */
const INDENT = 4;

/**
 * Adds the footnotes of GitHub Flavored Markdown. A definition is a container like a list item, and its label also
 * defines a link, so `[^1]` is read as a reference whose label starts with `^`.
 */
export function footnoteDefinitions({ block, utils }: MarkdownIt): void {
  const rule = (state: StateBlock, startLine: number, endLine: number, silent: boolean) => {
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

    state.env.references ??= {};
    state.env.references[utils.normalizeReference(label)] ??= { title: '', href: '#' };
    state.push('footnote_open', '', 1);
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
    state.push('footnote_close', '', -1);
    return true;
  };
  block.ruler.before('reference', 'footnote_definition', rule, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
}
