import { closeHistory } from 'prosemirror-history';
import { Fragment, Slice, type Node } from 'prosemirror-model';
import {
  Plugin,
  PluginKey,
  Selection,
  TextSelection,
  type EditorState,
  type Transaction,
} from 'prosemirror-state';
import { ReplaceStep, Transform } from 'prosemirror-transform';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { schema } from '../schema.js';
import { FindBar, findAction } from './find-bar.js';
import {
  countText,
  Finder,
  firstFrom,
  indexOfMatch,
  type FindQuery,
  type Match,
} from './find-matches.js';
import { boxBetween, scrollerOf, visibleArea } from './popup.js';

/** Pause after an edit before the text is searched again, in ms. */
const SEARCH_AFTER = 200;
/** Maximum number of matches that are highlighted: the nearest ones. */
const MOST_SHOWN = 500;
/** Maximum length of a selected text that is searched, in UTF-16 units. */
const LONGEST_SELECTED = 100;
/** Maximum number of matches that are replaced one by one, which keeps everything that is attached to the text. */
const MOST_STEPS = 500;
/** Space between the text and the bars, in px. */
const MARGIN = 12;

/** The matches of a document. */
interface Found {
  matches: readonly Match[];
  /** True after an edit, until the text is searched again. */
  isOld: boolean;
  highlights: DecorationSet;
}

const NOTHING: Found = { matches: [], isOld: true, highlights: DecorationSet.empty };
const key = new PluginKey<Found>('find');

const foundIn = (state: EditorState) => key.getState(state) ?? NOTHING;

/** Returns decorations of the matches near a position. */
function highlightsOf({ doc }: EditorState, matches: readonly Match[], position: number) {
  const start = Math.max(0, firstFrom(matches, position) - MOST_SHOWN / 2);
  const shown = matches.slice(start, start + MOST_SHOWN);
  return DecorationSet.create(
    doc,
    shown.map(({ from, to }) => Decoration.inline(from, to, { class: 'tools-match' })),
  );
}

/** Returns the highlights, with an outline around the selected match. */
function decorationsOf(state: EditorState): DecorationSet {
  const { matches, isOld, highlights } = foundIn(state);
  const current = isOld ? undefined : matches[indexOfMatch(matches, state.selection)];
  if (!current) return highlights;
  const outline = Decoration.inline(current.from, current.to, { class: 'tools-current' });
  return highlights.add(state.doc, [outline]);
}

/** Finds and replaces in the text of one editor. */
class Find {
  private finder = new Finder({
    search: '',
    caseSensitive: false,
    wholeWord: false,
    regexp: false,
  });
  private readonly bar: FindBar;
  /** Position where the search started. */
  private origin = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The editor's own space around the caret, in px. */
  private margin: { top: number; right: number; bottom: number; left: number } | undefined;

  constructor(private readonly view: EditorView) {
    this.bar = new FindBar({
      onQuery: (query) => {
        this.search(query);
      },
      onStep: (direction) => {
        this.step(direction);
      },
      onReplace: () => {
        this.replace();
      },
      onReplaceAll: () => {
        this.replaceAll();
      },
      onClose: () => {
        this.close();
      },
    });
  }

  update({ state }: EditorView, before: EditorState): void {
    if (!this.isOpen) return;
    if (state.doc !== before.doc) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        this.show(this.matches());
      }, SEARCH_AFTER);
    }
    if (state !== before) this.showCount();
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.bar.dom.remove();
  }

  onKey(event: KeyboardEvent): boolean {
    const action = event.isComposing ? undefined : findAction(event);
    if (!action) return false;
    event.preventDefault();
    // The page has keys too.
    event.stopPropagation();
    if (action === 'find' || action === 'replace') this.open(action);
    else if (this.finder.query.search === '') this.open('find');
    else this.step(action === 'next' ? 1 : -1);
    return true;
  }

  private get isOpen(): boolean {
    return this.bar.dom.isConnected;
  }

  private open(row: 'find' | 'replace'): void {
    const { view, bar } = this;
    const { state } = view;
    const { from, to, $from, $to } = state.selection;
    const isShort = from < to && $from.sameParent($to) && to - from <= LONGEST_SELECTED;
    if (!this.isOpen) view.dom.parentElement?.prepend(bar.dom);
    this.setMargin();
    this.origin = from;
    bar.focus(view.editable ? row : 'find', isShort ? state.doc.textBetween(from, to) : undefined);
    this.finder = new Finder(bar.query);
    this.show(this.matches());
  }

  private close(): void {
    const { view } = this;
    clearTimeout(this.timer);
    this.bar.dom.remove();
    this.setMargin();
    view.dispatch(view.state.tr.setMeta(key, NOTHING));
    // `view.focus` does nothing in read-only text.
    view.dom.focus({ preventScroll: true });
    view.focus();
  }

  private search(query: FindQuery): void {
    this.finder = new Finder(query);
    const matches = this.matches();
    this.show(matches, matches[firstFrom(matches, this.origin)] ?? matches[0]);
  }

  private step(direction: 1 | -1): void {
    const { selection } = this.view.state;
    const matches = this.matches();
    const selected = indexOfMatch(matches, selection);
    const following = firstFrom(matches, selection.from);
    const index = direction === 1 && selected === -1 ? following : following + direction;
    const match = matches.at(index % matches.length);
    this.show(matches, match);
    this.origin = match?.from ?? this.origin;
  }

  private replace(): void {
    const { view, finder, bar } = this;
    const { state } = view;
    const matches = this.matches();
    const match = matches[indexOfMatch(matches, state.selection)];
    if (!view.editable) return;
    if (!match) {
      this.step(1);
      return;
    }
    const text = finder.replacementOf(state.doc, match, bar.replacedBy);
    view.dispatch(closeHistory(replaced(state, [{ ...match, text }])));
    const next = this.matches();
    this.origin = match.from + text.length;
    this.show(next, next[firstFrom(next, this.origin)] ?? next[0]);
  }

  private replaceAll(): void {
    const { view, finder, bar } = this;
    const { state } = view;
    const matches = this.matches();
    if (!view.editable || matches.length === 0) return;
    const edits = matches.map((match) => ({
      ...match,
      text: finder.replacementOf(state.doc, match, bar.replacedBy),
    }));
    view.dispatch(closeHistory(replaced(state, edits)));
    this.show(this.matches());
    bar.show(`${matches.length.toLocaleString('en')} replaced`, true);
  }

  private matches(): readonly Match[] {
    return this.finder.matchesIn(this.view.state.doc);
  }

  /** Highlights matches, and selects one. */
  private show(matches: readonly Match[], selected?: Match): void {
    const { view } = this;
    const { state } = view;
    clearTimeout(this.timer);
    const transaction = state.tr;
    if (selected)
      transaction.setSelection(TextSelection.create(state.doc, selected.from, selected.to));
    if (this.isOpen) {
      const highlights = highlightsOf(state, matches, selected?.from ?? state.selection.from);
      transaction.setMeta(key, { matches, isOld: false, highlights } satisfies Found);
    }
    view.dispatch(transaction);
    if (selected) this.reveal(selected);
  }

  private showCount(): void {
    const { finder, bar, view } = this;
    const { matches, isOld } = foundIn(view.state);
    if (isOld) return;
    const text = countText(finder, matches.length, indexOfMatch(matches, view.state.selection));
    bar.show(text, finder.isValid || finder.query.search === '');
  }

  /** Scrolls to a match. The editor itself only scrolls if it has the focus. */
  private reveal({ from, to }: Match): void {
    const { view } = this;
    const scroll = () => {
      if (view.isDestroyed || to > view.state.doc.content.size) return;
      const area = visibleArea(view);
      const { top, bottom } = boxBetween(view, from, to);
      if (top >= area.top + MARGIN && bottom <= area.bottom - MARGIN) return;
      scrollerOf(view).scrollBy({ top: top - area.top - (area.bottom - area.top) / 3 });
    };
    scroll();
    // Blocks that were never visible only have their real height now.
    requestAnimationFrame(scroll);
  }

  /** Keeps the caret out of the part of the page that the bar covers. */
  private setMargin(): void {
    const { view, bar } = this;
    const { scrollMargin = 0 } = view.props;
    const all = (space: number) => ({ top: space, right: space, bottom: space, left: space });
    this.margin ??= typeof scrollMargin === 'number' ? all(scrollMargin) : scrollMargin;
    const margin = { ...this.margin, top: this.margin.top + bar.dom.offsetHeight };
    view.setProps({ scrollMargin: margin, scrollThreshold: margin });
  }
}

interface Replacement extends Match {
  text: string;
}

/** Returns a transaction that replaces matches, which are in document order. */
function replaced(state: EditorState, edits: readonly Replacement[]): Transaction {
  const transaction = state.tr;
  if (edits.length <= MOST_STEPS) return replaceIn(transaction, edits);
  const { doc, selection } = state;
  const content = withReplacements(doc, 0, edits).content;
  transaction.step(new ReplaceStep(0, doc.content.size, new Slice(content, 0, 0)));
  const position = Math.min(selection.from, transaction.doc.content.size);
  return transaction.setSelection(Selection.near(transaction.doc.resolve(position)));
}

function replaceIn<Change extends Transform>(
  change: Change,
  edits: readonly Replacement[],
): Change {
  for (const { from, to, text } of edits.toReversed()) {
    const marks = change.doc.resolve(from).marksAcross(change.doc.resolve(to));
    if (text === '') change.delete(from, to);
    else change.replaceWith(from, to, schema.text(text, marks));
  }
  return change;
}

/** Returns a node with changed text. `start` is the position of its content. Children without changes stay the same. */
function withReplacements(node: Node, start: number, edits: readonly Replacement[]): Node {
  if (edits.length === 0) return node;
  if (node.isTextblock) {
    const inside = edits.map(({ from, to, text }) => ({
      from: from - start,
      to: to - start,
      text,
    }));
    return replaceIn(new Transform(node), inside).doc;
  }
  let next = 0;
  const children: Node[] = [];
  node.forEach((child, offset) => {
    const first = next;
    while ((edits[next]?.from ?? Infinity) < start + offset + child.nodeSize) next += 1;
    children.push(withReplacements(child, start + offset + 1, edits.slice(first, next)));
  });
  return node.copy(Fragment.fromArray(children));
}

/** Finds and replaces in a bar above the text. */
export function findAndReplace(): Plugin<Found> {
  let find: Find | undefined;
  return new Plugin<Found>({
    key,
    state: {
      init: () => NOTHING,
      apply: (transaction, found) => {
        const next = transaction.getMeta(key) as Found | undefined;
        if (next || !transaction.docChanged || found === NOTHING) return next ?? found;
        const { mapping, doc } = transaction;
        return { ...found, isOld: true, highlights: found.highlights.map(mapping, doc) };
      },
    },
    view: (view) => (find = new Find(view)),
    props: {
      decorations: decorationsOf,
      // `handleKeyDown` is not called in read-only text.
      handleDOMEvents: { keydown: (_view, event) => find?.onKey(event) === true },
    },
  });
}
