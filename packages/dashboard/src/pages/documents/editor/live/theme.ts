import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const MONO = 'var(--mantine-font-family-monospace)';
const MUTED = 'var(--mantine-color-dimmed)';
const BORDER = 'var(--app-border)';
const LINK = 'var(--mantine-color-anchor)';

export const highlighting = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.url, color: LINK },
  { tag: [tags.processingInstruction, tags.meta], color: MUTED },
  { tag: tags.monospace, fontFamily: MONO },
]);

const levels = (count: number, style: (level: number) => Record<string, string>, name: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `.cm-${name}-${String(index + 1)}`,
      style(index + 1),
    ]),
  );

/** Indent of a list level, in em. */
const LIST_INDENT = 1.8;

const text = EditorView.theme({
  '.cm-line': { padding: '0' },
  '.cm-heading': { fontWeight: '650', textWrap: 'balance' },
  '.cm-h1': { fontSize: '26px', lineHeight: '34px', paddingTop: '10px' },
  '.cm-h2': { fontSize: '21px', lineHeight: '30px', paddingTop: '8px' },
  '.cm-h3': { fontSize: '18px', lineHeight: '28px', paddingTop: '4px' },
  '.cm-underline': { fontSize: '4px', lineHeight: '4px' },
  '.cm-inline-code': {
    fontSize: '0.88em',
    padding: '2px 4px',
    borderRadius: '4px',
    backgroundColor: 'var(--app-code)',
    boxDecorationBreak: 'clone',
  },
  '.cm-html, .cm-html-line': { fontFamily: MONO, fontSize: '14px', color: MUTED },
  '.cm-reference': { fontSize: '14px', color: MUTED },
  '.cm-link': {
    color: LINK,
    textDecoration: 'underline',
    textUnderlineOffset: '3px',
    cursor: 'text',
  },
  '&[data-read-only] a.cm-link': { cursor: 'pointer' },
  '.cm-image': {
    display: 'inline-block',
    maxWidth: '100%',
    padding: '0 8px',
    border: `1px solid ${BORDER}`,
    borderRadius: '4px',
    fontSize: '13px',
    lineHeight: '20px',
    verticalAlign: 'middle',
    textIndent: '0',
    color: MUTED,
    overflowWrap: 'anywhere',
  },
  // Brackets without a link.
  '.cm-brackets, .cm-brackets *': { color: 'inherit' },
  '.cm-rule': {
    display: 'inline-block',
    width: '100%',
    height: '1px',
    verticalAlign: 'middle',
    backgroundColor: BORDER,
  },
});

const boxes = EditorView.theme({
  '.cm-code-line': {
    padding: '0 14px',
    backgroundColor: 'var(--app-code)',
    fontFamily: MONO,
    fontSize: '14px',
    lineHeight: '22px',
  },
  '.cm-code-first': { paddingTop: '8px', borderRadius: '6px 6px 0 0' },
  '.cm-code-last': { paddingBottom: '8px', borderRadius: '0 0 6px 6px' },
  '.cm-code-first.cm-code-last': { borderRadius: '6px' },
  '.cm-code-line .cm-inline-code': { padding: '0' },
  '.cm-fence': { fontFamily: MONO, fontSize: '12px', color: MUTED },
  ...levels(8, (level) => ({ '--list': `${(level * LIST_INDENT).toFixed(1)}em` }), 'li'),
  ...levels(4, (level) => ({ '--quote': `${String(level * 18)}px` }), 'quote'),
  '.cm-li, .cm-quote': { paddingInlineStart: 'calc(var(--list, 0px) + var(--quote, 0px))' },
  '.cm-li.cm-code-line, .cm-quote.cm-code-line': {
    marginInlineStart: 'calc(var(--list, 0px) + var(--quote, 0px))',
    paddingInlineStart: '14px',
    textIndent: '0',
  },
  '.cm-li-first': { textIndent: `-${String(LIST_INDENT)}em` },
  '.cm-li-first > *': { textIndent: '0' },
  '.cm-bullet, .cm-list-mark': {
    display: 'inline-block',
    minWidth: `${String(LIST_INDENT)}em`,
    color: MUTED,
  },
  '.cm-bullet': { position: 'relative', color: 'transparent' },
  '.cm-bullet > span, .cm-bullet *': { color: 'transparent' },
  '.cm-bullet::before': {
    content: '"•"',
    position: 'absolute',
    insetInlineStart: '2px',
    color: 'var(--mantine-color-text)',
  },
  '.cm-task': {
    width: '1em',
    height: '1em',
    margin: '0',
    marginInlineEnd: '0.5em',
    verticalAlign: '-0.1em',
    accentColor: 'var(--mantine-primary-color-filled)',
    cursor: 'pointer',
  },
  '@media (pointer: coarse)': {
    '.cm-task': { width: '1.25em', height: '1.25em', marginInlineEnd: '0.3em' },
  },
  '.cm-task:disabled': { cursor: 'default' },
  '.cm-quote': {
    color: MUTED,
    background: `repeating-linear-gradient(to right, ${BORDER} 0 3px, transparent 3px 18px) no-repeat`,
    backgroundSize: 'var(--quote) 100%',
  },
  '.cm-quote[dir=rtl]': { backgroundPosition: 'right' },
});

const tables = EditorView.theme({
  '.cm-content': { borderCollapse: 'collapse' },
  '.cm-row': { display: 'table-row' },
  '.cm-cell': {
    display: 'table-cell',
    minWidth: '5em',
    padding: '5px 12px',
    verticalAlign: 'top',
    border: `1px solid ${BORDER}`,
    fontSize: '15px',
    lineHeight: '22px',
    maxWidth: '24em',
    // A column is at least as wide as its longest word, up to this width.
    overflowWrap: 'break-word',
    wordBreak: 'normal',
  },
  '@media (max-width: 720px)': { '.cm-cell': { padding: '5px 8px' } },
  '.cm-row-head .cm-cell': { fontWeight: '650', backgroundColor: 'var(--app-code)' },
  '.cm-cell-center': { textAlign: 'center' },
  '.cm-cell-right': { textAlign: 'right' },
  '.cm-delimiter': { display: 'table-row', fontSize: '0', lineHeight: '0' },
});

const page = EditorView.theme({
  '&': { height: '100%', color: 'var(--mantine-color-text)', fontSize: '17px' },
  // The caret shows the focus.
  '&.cm-focused': { outline: 'var(--editor-outline, none)', outlineOffset: '-1px' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family)',
    lineHeight: '28px',
    overflow: 'auto',
  },
  '.cm-content': {
    // A table that is wider than the page scrolls sideways; other lines wrap.
    minWidth: '0',
    padding: 'var(--editor-padding, 14px 16px)',
    caretColor: 'var(--mantine-color-text)',
  },
  '&[data-plain] .cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: '14px',
    lineHeight: '24px',
  },
  '.cm-placeholder': { color: 'var(--mantine-color-dimmed)' },
  '.cm-marked-issues': { textDecoration: 'underline wavy var(--mantine-color-orange-outline) 1px' },
  '.cm-marked-suggestions': {
    textDecoration: 'underline dotted 2px var(--mantine-color-blue-outline)',
    textUnderlineOffset: '3px',
    cursor: 'pointer',
  },
  '.cm-marked-conflicts': {
    backgroundColor: 'var(--app-removed)',
    boxShadow: 'inset 2px 0 0 var(--mantine-color-red-outline)',
    cursor: 'pointer',
  },
  '.cm-marked-point': {
    display: 'inline-block',
    width: '3px',
    height: '1em',
    verticalAlign: '-2px',
  },
  '.cm-tinted': { backgroundColor: 'var(--app-added)' },
});

/** Styles of the editor. Earlier ones win. */
export const theme = [tables, boxes, text, page];
