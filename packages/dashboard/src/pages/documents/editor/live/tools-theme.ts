import { EditorView } from '@codemirror/view';

const MUTED = 'var(--mantine-color-dimmed)';
const BORDER = 'var(--app-border)';
const LINK = 'var(--mantine-color-anchor)';

const floating = {
  border: `1px solid ${BORDER}`,
  borderRadius: '10px',
  backgroundColor: 'var(--app-surface)',
  color: 'var(--mantine-color-text)',
  boxShadow: '0 6px 24px rgb(0 0 0 / 16%)',
};

const button = {
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  border: '0',
  borderRadius: '6px',
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  fontSize: '13px',
  cursor: 'pointer',
};
const hovered = { backgroundColor: 'var(--mantine-color-default-hover)' };
const pressed = {
  backgroundColor: 'var(--mantine-primary-color-light)',
  color: 'var(--mantine-primary-color-light-color)',
};
const focused = { outline: `2px solid ${LINK}`, outlineOffset: '-2px' };
const icon = {
  width: '18px',
  height: '18px',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: '1.8',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
};

/** Styles of the toolbar, the tooltips and the find panel. */
export const toolsTheme = EditorView.theme({
  '.cm-tooltip': { ...floating, zIndex: '4' },
  '.cm-address': {
    display: 'flex',
    gap: '12px',
    maxWidth: 'min(30rem, 90vw)',
    padding: '6px 12px',
    fontSize: '13px',
    lineHeight: '18px',
    color: MUTED,
    overflowWrap: 'anywhere',
  },
  '.cm-address a': { flex: 'none', color: LINK },
  '.cm-tooltip.cm-toolbar': { display: 'flex', gap: '2px', padding: '4px' },
  // Hides the toolbar if neither the text nor the toolbar has the focus.
  '&:not(:focus-within) .cm-toolbar, &[data-pointing] .cm-toolbar, &:has(.cm-panels:focus-within) .cm-toolbar':
    { display: 'none' },
  '.cm-toolbar button': { ...button, width: '32px', height: '32px' },
  '.cm-toolbar button:hover': hovered,
  '.cm-toolbar button[aria-pressed=true]': pressed,
  '.cm-toolbar button:focus-visible': focused,
  '.cm-toolbar svg, .cm-find svg': icon,
  '@media (hover: none) and (pointer: coarse)': {
    '.cm-tooltip.cm-toolbar': {
      position: 'fixed !important',
      top: 'auto !important',
      left: '0 !important',
      right: '0',
      bottom: 'var(--covered, 0px)',
      justifyContent: 'space-around',
      borderWidth: '1px 0 0',
      borderRadius: '0',
      boxShadow: 'none',
    },
    '.cm-toolbar button': { width: '40px', height: '40px', minWidth: '0', flex: '0 1 40px' },
  },
  '.cm-panels': {
    backgroundColor: 'var(--editor-ground, transparent)',
    color: 'var(--mantine-color-text)',
    zIndex: '4',
  },
  '.cm-panels.cm-panels-top': { borderBottom: '0', top: 'var(--panel-top, 0px)' },
  '.cm-find': { ...floating, margin: '4px 0 8px', padding: '6px', fontSize: '13px' },
  '.cm-find-row': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px' },
  '.cm-find-row[hidden]': { display: 'none' },
  '.cm-find-row + .cm-find-row': { marginTop: '4px' },
  '.cm-find input': {
    flex: '1 1 160px',
    minWidth: '0',
    height: '32px',
    padding: '0 10px',
    border: '1px solid var(--app-control)',
    borderRadius: '6px',
    background: 'var(--app-surface)',
    color: 'inherit',
    font: 'inherit',
    fontSize: '14px',
  },
  '@media (max-width: 720px)': { '.cm-find input': { flexBasis: '100%' } },
  '.cm-find input[aria-invalid]': { borderColor: 'var(--mantine-color-error)' },
  '.cm-find input:focus': { ...focused, outlineOffset: '-1px' },
  '.cm-find button': { ...button, minWidth: '32px', height: '32px', padding: '0 8px' },
  '.cm-find button:hover': hovered,
  '.cm-find button[aria-pressed=true]': pressed,
  '.cm-find button:focus-visible': focused,
  '.cm-find-count': {
    flex: '1 1 5em',
    minWidth: '5em',
    padding: '0 4px',
    color: MUTED,
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--app-mark)' },
  '.cm-searchMatch.cm-searchMatch-selected': {
    backgroundColor: 'var(--app-mark)',
    outline: `2px solid ${LINK}`,
  },
});
