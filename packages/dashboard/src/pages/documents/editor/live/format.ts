import { isolateHistory } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import {
  EditorSelection,
  type ChangeSpec,
  type EditorState,
  type TransactionSpec,
} from '@codemirror/state';
import type { Command } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import type { Span } from './page.js';

/** Inline elements that a key or button toggles, with their marks. */
const INLINE = {
  StrongEmphasis: '**',
  Emphasis: '*',
  Strikethrough: '~~',
  InlineCode: '`',
} as const;

type InlineName = keyof typeof INLINE;

/** Marks of quotes, lists, tasks and headings at the start of a line. */
const PREFIX = /^(?:\s*(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s)|\[[ xX]\](?=\s)|#{1,6}(?=\s)))*\s*/;

/** Returns the innermost element of a kind that contains the span. */
export function elementAround(state: EditorState, { from, to }: Span, name: string) {
  for (const side of [1, -1] as const) {
    for (
      let node: SyntaxNode | null = syntaxTree(state).resolveInner(side === 1 ? from : to, side);
      node;
      node = node.parent
    ) {
      if (node.name === name && node.from <= from && node.to >= to) return node;
    }
  }
  return undefined;
}

/** Returns the ranges to format: the word at the caret, or the selected lines without their prefixes. */
function stretchesOf(state: EditorState, range: Span & { empty: boolean }): Span[] {
  if (range.empty) return [state.wordAt(range.from) ?? range];
  const stretches: Span[] = [];
  for (let at = range.from; at <= range.to;) {
    const line = state.doc.lineAt(at);
    const start = Math.max(range.from, line.from + (PREFIX.exec(line.text)?.[0].length ?? 0));
    const text = state.sliceDoc(Math.min(start, line.to), Math.min(range.to, line.to));
    const from = start + text.length - text.trimStart().length;
    if (text.trim() !== '') stretches.push({ from, to: from + text.trim().length });
    at = line.to + 1;
  }
  return stretches;
}

/** True if elements of the kind contain all of the selected text. */
export function isWithin(state: EditorState, name: string): boolean {
  const { main } = state.selection;
  const stretches = stretchesOf(state, main);
  return stretches.length > 0 && stretches.every((one) => elementAround(state, one, name));
}

function marksOf(node: SyntaxNode): [SyntaxNode, SyntaxNode] | undefined {
  const { firstChild, lastChild } = node;
  return firstChild && lastChild && firstChild.to <= lastChild.from
    ? [firstChild, lastChild]
    : undefined;
}

/** Makes the selected text strong, emphasized, struck out or code, or removes that format. */
export function toggleInline(state: EditorState, name: InlineName): TransactionSpec {
  const mark = INLINE[name];
  const isOn = isWithin(state, name);
  return state.changeByRange((range) => {
    const stretches = stretchesOf(state, range).map((one) => wholeElements(state, one, name));
    const [only] = stretches;
    if (only === undefined) return { range };
    if (only.from === only.to && !isOn) {
      const around = { from: only.from - mark.length, to: only.from + mark.length };
      if (around.from >= 0 && state.sliceDoc(around.from, around.to) === mark + mark) {
        return { changes: around, range: EditorSelection.cursor(around.from) };
      }
      const changes = { from: only.from, insert: mark + mark };
      return { changes, range: EditorSelection.cursor(only.from + mark.length) };
    }
    const changes = state.changes(
      stretches.flatMap((one) => (isOn ? unmarked(state, one, name) : marked(state, one, name))),
    );
    const anchor = changes.mapPos(range.anchor, range.anchor <= range.head ? 1 : -1);
    const head = changes.mapPos(range.head, range.anchor <= range.head ? -1 : 1);
    if (range.empty)
      return { changes, range: EditorSelection.cursor(changes.mapPos(range.head, -1)) };
    return { changes, range: EditorSelection.range(anchor, head) };
  });
}

/** Elements that a mark inside them or across their edge would break. */
const WHOLE = /^(?:InlineCode|Link|Image|Autolink|Emphasis|StrongEmphasis|Strikethrough)$/;

/** Widens a range to include every element that it cuts, and all of a code span, where marks are text. */
function wholeElements(state: EditorState, stretch: Span, name: InlineName): Span {
  let { from, to } = stretch;
  syntaxTree(state).iterate({
    ...stretch,
    enter: (node) => {
      if (node.name === name || !WHOLE.test(node.name)) return;
      const isCut =
        node.from < from ? node.to > from && node.to < to : node.from < to && node.to > to;
      const isCode = node.name === 'InlineCode' && node.from < to && node.to > from;
      if (!isCut && !isCode) return;
      from = Math.min(from, node.from);
      to = Math.max(to, node.to);
    },
  });
  return { from, to };
}

/** Removes the marks in a range. The rest of the element keeps its marks. */
function unmarked(state: EditorState, { from, to }: Span, name: InlineName): ChangeSpec[] {
  const node = elementAround(state, { from, to }, name);
  const marks = node && marksOf(node);
  if (!marks) return [];
  const [open, close] = marks;
  const opening = state.sliceDoc(open.from, open.to);
  const before = state.sliceDoc(open.to, Math.max(from, open.to)).trimEnd().length;
  const after = state.sliceDoc(Math.min(to, close.from), close.from).trimStart().length;
  return [
    before === 0 ? open : { from: open.to + before, insert: opening },
    after === 0 ? close : { from: close.from - after, insert: opening },
  ].map((change) => ('insert' in change ? change : { from: change.from, to: change.to }));
}

/** Marks a range, merging elements of the same kind in it. */
function marked(state: EditorState, stretch: Span, name: InlineName): ChangeSpec[] {
  if (elementAround(state, stretch, name)) return [];
  const inside: ChangeSpec[] = [];
  let { from, to } = stretch;
  syntaxTree(state).iterate({
    ...stretch,
    enter: ({ name: found, node }) => {
      const marks = found === name ? marksOf(node) : undefined;
      if (!marks) return;
      from = Math.min(from, node.from);
      to = Math.max(to, node.to);
      for (const { from: start, to: end } of marks) inside.push({ from: start, to: end });
    },
  });
  const mark = name === 'InlineCode' ? codeMark(state.sliceDoc(from, to)) : INLINE[name];
  return [{ from, insert: mark }, ...inside, { from: to, insert: mark }];
}

/** Code that contains backticks needs more of them around it. */
function codeMark(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  return '`'.repeat(longest === 0 ? 1 : longest + 1);
}

/** Makes the selected text a link and puts the caret at its address. */
export function makeLink(state: EditorState): TransactionSpec | undefined {
  const { main } = state.selection;
  const link = elementAround(state, main, 'Link');
  const url = link?.getChild('URL');
  if (url) return { selection: { anchor: url.from, head: url.to } };
  if (main.empty) return undefined;
  const text = state.sliceDoc(main.from, main.to);
  if (/^https?:\/\/\S+$/.test(text)) {
    const insert = `[](${text})`;
    return {
      changes: { from: main.from, to: main.to, insert },
      selection: { anchor: main.from + 1 },
    };
  }
  return {
    changes: [
      { from: main.from, insert: '[' },
      { from: main.to, insert: ']()' },
    ],
    selection: { anchor: main.to + 3 },
  };
}

// Lines. --------------------------------------------------------------------------------------------------------------

type LineKind = 'bullet' | 'number' | 'task' | 'quote' | 1 | 2 | 3 | 'paragraph';

const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(\[[ xX]\]\s+)?/;
const HEADING = /^#{1,6}\s+/;
const QUOTE = /^\s{0,3}>\s?/;

/** Returns the length of the quote marks of a line. */
function quotesOf(text: string): number {
  return /^(?:\s{0,3}>\s?)*/.exec(text)?.[0].length ?? 0;
}

function isOfKind(text: string, kind: LineKind): boolean {
  if (kind === 'quote') return QUOTE.test(text);
  if (kind === 'paragraph') return !HEADING.test(text) && !ITEM.test(text);
  if (typeof kind === 'number') return text.startsWith(`${'#'.repeat(kind)} `);
  const [, , task] = ITEM.exec(text) ?? [];
  if (kind === 'task') return task !== undefined;
  const mark = kind === 'bullet' ? /^\s*[-*+]\s/ : /^\s*\d{1,9}[.)]\s/;
  return task === undefined && mark.test(text);
}

/** Returns the selected lines that have text, or the line of the caret. */
function selectedLines(state: EditorState) {
  const { from, to } = state.selection.main;
  const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number];
  const lines = [];
  for (let number = first; number <= last; number += 1) lines.push(state.doc.line(number));
  return first === last ? lines : lines.filter(({ text }) => text.trim() !== '');
}

/** True if all selected lines are headings, list items or quotes of the kind. */
export function isLineKind(state: EditorState, kind: LineKind): boolean {
  const lines = selectedLines(state);
  return lines.length > 0 && lines.every(({ text }) => isOfKind(text, kind));
}

/** Makes the selected lines headings, list items, quotes or paragraphs. */
export function toggleLines(state: EditorState, kind: LineKind): TransactionSpec {
  const isOn = kind !== 'paragraph' && isLineKind(state, kind);
  const changes = selectedLines(state).flatMap(({ from, text }, index): ChangeSpec[] => {
    const [indent = ''] = /^\s*/.exec(text) ?? [];
    if (kind === 'quote') {
      const old = QUOTE.exec(text)?.[0].length ?? 0;
      return isOn ? [{ from, to: from + old }] : [{ from, insert: '> ' }];
    }
    const quotes = quotesOf(text);
    const rest = text.slice(quotes);
    const old = (ITEM.exec(rest) ?? HEADING.exec(rest) ?? /^\s*/.exec(rest))?.[0].length ?? 0;
    const isList = typeof kind === 'string' && kind !== 'paragraph';
    const kept = isList && quotes === 0 ? indent : '';
    const insert = kept + (isOn ? '' : prefixOf(kind, index));
    return [
      { from: from + quotes, to: from + quotes + old, insert },
      ...withoutUnderline(state, from),
    ];
  });
  const changeSet = state.changes(changes);
  return { changes: changeSet, selection: state.selection.map(changeSet, 1) };
}

function prefixOf(kind: LineKind, index: number): string {
  if (typeof kind === 'number') return `${'#'.repeat(kind)} `;
  return {
    bullet: '- ',
    number: `${String(index + 1)}. `,
    task: '- [ ] ',
    quote: '> ',
    paragraph: '',
  }[kind];
}

/** Removes the line of `===` below a heading. */
function withoutUnderline(state: EditorState, at: number): ChangeSpec[] {
  let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, 1);
  while (node && !node.name.startsWith('Setext')) node = node.parent;
  const underline = node?.getChild('HeaderMark');
  return underline ? [{ from: state.doc.lineAt(underline.from).from - 1, to: underline.to }] : [];
}

/** Returns the next heading level for the heading button. */
export function nextHeading(state: EditorState): LineKind {
  if (isLineKind(state, 2)) return 3;
  return isLineKind(state, 3) ? 'paragraph' : 2;
}

/** Moves the selected list items in or out one level. Returns undefined outside lists. */
export function indentItems(
  state: EditorState,
  direction: 'in' | 'out',
): TransactionSpec | undefined {
  const items = itemsOf(state);
  if (items.length === 0) return undefined;
  const changes = items.flatMap((item): ChangeSpec[] => {
    const outer = direction === 'in' ? previousItem(item) : item.parent?.parent;
    const mark = item.getChild('ListMark');
    const outerMark = outer?.name === 'ListItem' ? outer.getChild('ListMark') : undefined;
    if (!mark || !outerMark) return [];
    const column = columnOf(state, mark);
    const by =
      direction === 'in'
        ? columnOf(state, outerMark) + (outerMark.to - outerMark.from) + 1 - column
        : column - columnOf(state, outerMark);
    return by > 0 ? linesOf(state, item).flatMap((line) => shifted(line, direction, by)) : [];
  });
  return { changes };
}

/** Returns the selected items without nested ones, which move with them. */
function itemsOf(state: EditorState): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (const { from, text } of selectedLines(state)) {
    const quotes = quotesOf(text);
    const at = from + quotes + (/^\s*/.exec(text.slice(quotes))?.[0].length ?? 0);
    let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, 1);
    while (node && node.name !== 'ListItem') node = node.parent;
    const item = node;
    if (item && !found.some((one) => one.from <= item.from && one.to >= item.to)) found.push(item);
  }
  return found;
}

function previousItem(item: SyntaxNode): SyntaxNode | undefined {
  let previous = item.prevSibling;
  // In a quote, quote marks are between the items.
  while (previous && previous.name !== 'ListItem') previous = previous.prevSibling;
  return previous ?? undefined;
}

function columnOf(state: EditorState, mark: SyntaxNode): number {
  return mark.from - state.doc.lineAt(mark.from).from;
}

function linesOf(state: EditorState, { from, to }: SyntaxNode) {
  const lines = [];
  for (let at = from; at <= to;) {
    const line = state.doc.lineAt(at);
    lines.push(line);
    at = line.to + 1;
  }
  return lines;
}

function shifted(
  { from, text }: Span & { text: string },
  direction: 'in' | 'out',
  by: number,
): ChangeSpec[] {
  if (text.trim() === '') return [];
  const start = from + quotesOf(text);
  if (direction === 'in') return [{ from: start, insert: ' '.repeat(by) }];
  const spaces = /^ */.exec(text.slice(start - from))?.[0].length ?? 0;
  return [{ from: start, to: start + Math.min(spaces, by) }];
}

/** Makes a command of a function that returns changes. */
export function commandOf(
  change: (state: EditorState) => TransactionSpec | undefined,
  { swallows = false } = {},
): Command {
  return (view) => {
    if (view.state.readOnly) return false;
    const spec = change(view.state);
    if (!spec) return swallows;
    view.dispatch(spec, {
      scrollIntoView: true,
      userEvent: 'input.format',
      // A separate undo step.
      annotations: isolateHistory.of('full'),
    });
    return true;
  };
}
