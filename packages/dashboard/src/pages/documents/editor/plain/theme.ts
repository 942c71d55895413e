import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const MONO = 'var(--mantine-font-family-monospace)';
const MUTED = 'var(--mantine-color-dimmed)';

export const highlighting = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.url, color: 'var(--mantine-color-anchor)' },
  { tag: [tags.processingInstruction, tags.meta], color: MUTED },
]);

export const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--mantine-color-text)', fontSize: '14px' },
  // The caret shows the focus.
  '&.cm-focused': { outline: 'var(--editor-outline, none)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: MONO, lineHeight: '24px', overflow: 'auto' },
  '.cm-line': { padding: '0' },
  '.cm-content': {
    minWidth: '0',
    padding: 'var(--editor-padding, 14px 16px)',
    caretColor: 'var(--mantine-color-text)',
  },
  '.cm-placeholder': { color: MUTED },
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
  '.cm-panels': {
    backgroundColor: 'var(--app-surface)',
    color: 'inherit',
    fontFamily: 'var(--mantine-font-family)',
  },
  '.cm-panels-top': { top: 'var(--panel-top, 0px)', borderBottom: '1px solid var(--app-border)' },
  '.cm-search': { padding: '8px 32px 8px 0', fontSize: '14px' },
  '.cm-search label': { fontSize: '13px', whiteSpace: 'nowrap' },
  '.cm-textfield, .cm-button': {
    minHeight: '32px',
    padding: '0 10px',
    border: '1px solid var(--app-control)',
    borderRadius: '6px',
    background: 'var(--app-raised)',
    color: 'inherit',
    font: 'inherit',
    fontSize: '14px',
  },
  '.cm-button': { borderColor: 'var(--app-border-strong)', cursor: 'pointer' },
  '.cm-searchMatch': { backgroundColor: 'var(--app-mark)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--mantine-color-anchor)' },
});
