import { mergeText } from '@document-service/text-merge/merge-text';
import { applyEdits, type Edit } from '@document-service/text-merge/text-edits';
import { closeHistory } from 'prosemirror-history';
import { keymap } from 'prosemirror-keymap';
import {
  EditorState,
  Plugin,
  TextSelection,
  type Command,
  type Transaction,
} from 'prosemirror-state';
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view';
import type { Heading } from '../headings.js';
import { openAddress, safeAddress } from '../addresses.js';
import { togglePlainMarkdown } from '../mode.js';
import { toolsWhenNeeded } from '../load-tools.js';
import type { Mark } from '../marks.js';
import type { FileOptions } from '../paste/files.js';
import { changesBetween } from '../text-changes.js';
import { BARS, TINT_MS, type TextView, type TextViewEvents } from '../text-view.js';
import { readCaret } from './caret.js';
import { clipboardPlugin } from './clipboard.js';
import { decorationPlugins, insertedRanges, showMarks, showTint } from './decorations.js';
import { surfaceKeys } from './keys.js';
import { markViews, nodeViews } from './node-views.js';
import { changeTo } from './remote-change.js';
import { schema } from './schema.js';
import { editsBetween, type Layout } from './layout.js';
import { Sources } from './sources.js';
import './surface.css';

interface SurfaceOptions extends FileOptions {
  label: string;
  text: string;
  readOnly: boolean;
  placeholder?: string | undefined;
  events: TextViewEvents;
}

/** A text that waits until the composition of its block ends. */
interface HeldText {
  /** The text in the editor when the other one arrived. */
  base: string;
  text: string;
  tint: boolean;
}

/** Frames for scrolling to a position, because blocks get their height when they are near the window. */
const SCROLL_FRAMES = 4;

/** Time in which ProseMirror reads the text of a composition that ended, in ms. */
const COMPOSED_WITHIN = 50;

/** Space around the caret, in px: for the bars, and for the toolbar above a phone's keyboard. */
const SCROLL_MARGIN = { top: BARS, right: 0, bottom: 72, left: 0 };

/** Shows Markdown as finished text. Throws if the text cannot be read. */
export function createSurface(host: HTMLElement, options: SurfaceOptions): TextView {
  return new Surface(host, options);
}

class Surface implements TextView {
  private readonly sources = new Sources();
  private readonly view: EditorView;
  private readonly resizes: ResizeObserver;
  private readonly events: TextViewEvents;
  /** The reported Markdown. */
  private layout: Layout;
  private readOnly: boolean;
  private held: HeldText | undefined;
  private isRemote = false;
  private shownMarks = '';
  private tintTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HTMLElement, options: SurfaceOptions) {
    this.events = options.events;
    this.readOnly = options.readOnly;
    const doc = this.sources.read(options.text);
    this.layout = this.sources.layoutOf(doc);
    this.view = new EditorView(host, {
      state: EditorState.create({ doc, plugins: this.plugins(options) }),
      nodeViews,
      markViews,
      editable: () => !this.readOnly,
      attributes: () => this.attributes(options),
      scrollMargin: SCROLL_MARGIN,
      scrollThreshold: SCROLL_MARGIN,
      dispatchTransaction: (transaction) => {
        this.dispatch(transaction);
      },
      handleClick: (_view, _position, event) => this.click(event),
      handleDOMEvents: {
        keydown: readCaret,
        beforeinput: (_view, event) => this.insertText(event),
        click: (_view, event) => this.pick(event),
        compositionend: () => {
          setTimeout(() => {
            this.release();
          }, COMPOSED_WITHIN);
        },
      },
    });
    // At each update, React would walk the whole text to save the selection of an element that says `true`.
    Object.defineProperty(this.view.dom, 'contentEditable', { get: () => 'inherit' });
    this.resizes = new ResizeObserver(() => {
      this.events.onMove();
    });
    this.resizes.observe(this.view.dom);
  }

  setText(text: string, tint: boolean): void {
    if (this.held) {
      this.held = { ...this.held, text, tint: tint || this.held.tint };
      this.release();
      return;
    }
    if (this.view.composing && this.changesSelectedBlock(text)) {
      this.held = { base: this.text, text, tint };
      return;
    }
    const change = changeTo(this.view.state, this.sources, text);
    if (!change) return;
    this.isRemote = true;
    try {
      this.keepPlace(change);
    } finally {
      this.isRemote = false;
    }
    if (tint) this.tint(change);
  }

  replace(edits: readonly Edit[]): void {
    const change = changeTo(this.view.state, this.sources, applyEdits(this.text, edits));
    if (!change) return;
    this.view.dispatch(closeHistory(change).setMeta('addToHistory', true));
    // What is typed next is another step.
    this.view.dispatch(closeHistory(this.view.state.tr));
  }

  showMarks(marks: readonly Mark[]): void {
    // Shown marks move with the document.
    const shown = JSON.stringify(marks.map(({ source, id, hint }) => [source, id, hint]));
    if (shown === this.shownMarks && !this.isRemote) return;
    this.shownMarks = shown;
    readCaret(this.view);
    this.view.dispatch(showMarks(this.view.state, this.sources, marks));
  }

  topOf(offset: number): number {
    return this.coordinates(this.positionOf(offset)).top;
  }

  setReadOnly(readOnly: boolean): void {
    this.readOnly = readOnly;
    this.view.setProps({ editable: () => !this.readOnly });
    for (const box of this.view.dom.querySelectorAll<HTMLInputElement>('li.task > input')) {
      box.disabled = readOnly;
    }
  }

  select(from: number, to: number, at: 'center' | 'start'): void {
    const { doc } = this.view.state;
    const anchor = this.positionOf(from);
    const head = to === from ? anchor : (this.sources.positionAt(doc, to, -1) ?? anchor);
    const selection = TextSelection.between(doc.resolve(anchor), doc.resolve(head));
    this.view.dispatch(this.view.state.tr.setSelection(selection));
    this.view.focus();
    this.scrollTo(anchor, at, SCROLL_FRAMES);
  }

  headings(): Heading[] {
    const headings: Heading[] = [];
    const { doc } = this.view.state;
    doc.forEach((node, position) => {
      const level = Number(node.attrs['level']);
      if (node.type !== schema.nodes.heading || level > 3) return;
      const text = node.textContent.trim();
      if (text === '') return;
      headings.push({ from: this.sources.offsetAt(doc, position + 1, 1), level, text });
    });
    return headings;
  }

  topPosition(): number {
    const { doc } = this.view.state;
    return this.sources.offsetAt(doc, this.topBlock() + 1, 1);
  }

  caret(): number {
    const { doc, selection } = this.view.state;
    return this.sources.offsetAt(doc, selection.head, -1);
  }

  hasFocus(): boolean {
    return this.view.hasFocus();
  }

  focus(): void {
    this.view.focus();
  }

  destroy(): void {
    clearTimeout(this.tintTimer);
    this.resizes.disconnect();
    this.view.destroy();
  }

  private get text(): string {
    return this.layout.text;
  }

  private dispatch(transaction: Transaction): void {
    const { state, transactions } = this.view.state.applyTransaction(transaction);
    this.view.updateState(state);
    if (!transactions.some(({ docChanged }) => docChanged)) return;
    // Until a held text is merged, the document does not contain all that its session has.
    if (!this.held) this.report(this.sources.layoutOf(state.doc));
  }

  private report(layout: Layout): void {
    const { layout: former, isRemote } = this;
    this.layout = layout;
    if (layout.text === former.text) return;
    const edits = editsBetween(former, layout);
    this.events.onText(layout.text, { isByPerson: !isRemote, ...(edits && { edits }) });
  }

  /** True if another text differs from the current one in the top-level block of the caret. */
  private changesSelectedBlock(text: string): boolean {
    const { doc, selection } = this.view.state;
    const { $head } = selection;
    if ($head.depth === 0) return true;
    const start = this.sources.offsetAt(doc, $head.before(1), 1);
    const end = this.sources.offsetAt(doc, $head.after(1), -1);
    return changesBetween(this.text, text).some(({ from, to }) => from <= end && to >= start);
  }

  /** Merges a text that waited for a composition with what was composed. */
  private release(): void {
    const { held, view } = this;
    if (!held || view.isDestroyed || view.composing) return;
    this.held = undefined;
    const composed = this.sources.write(view.state.doc);
    const merged = mergeText(held.base, composed, held.text).text;
    const change = changeTo(view.state, this.sources, merged);
    if (change) this.keepPlace(change);
    else this.report(this.sources.layoutOf(view.state.doc));
    if (change && held.tint) this.tint(change);
  }

  private tint(change: Transaction): void {
    const ranges = insertedRanges(change);
    if (ranges.length === 0) return;
    this.view.dispatch(showTint(this.view.state, ranges));
    clearTimeout(this.tintTimer);
    this.tintTimer = setTimeout(() => {
      this.view.dispatch(showTint(this.view.state, []));
    }, TINT_MS);
  }

  /** Changes the document and keeps the first visible block in place. */
  private keepPlace(change: Transaction): void {
    const { view } = this;
    const page = document.scrollingElement;
    const isScrolled = page !== null && page.scrollTop > 0 && view.dom.isConnected;
    const top = isScrolled && view.state.doc.childCount > 0 ? this.topVisible() : undefined;
    const before = top === undefined ? 0 : view.coordsAtPos(top).top;
    view.dispatch(change);
    if (page === null || top === undefined) return;
    page.scrollTop += view.coordsAtPos(change.mapping.map(top, 1)).top - before;
  }

  /** Returns the position of the text at the top of the window. */
  private topVisible(): number {
    const { left } = this.view.dom.getBoundingClientRect();
    const found = this.view.posAtCoords({ left: left + 4, top: BARS })?.pos;
    return found ?? this.topBlock() + 1;
  }

  /** Returns the position of the first top-level block that ends below the bars. */
  private topBlock(): number {
    const { view } = this;
    const blocks = view.dom.children;
    let [low, high] = [0, blocks.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((blocks[middle]?.getBoundingClientRect().bottom ?? 0) > BARS) high = middle;
      else low = middle + 1;
    }
    const block = blocks[low];
    const position = block ? view.posAtDOM(block, 0) : 0;
    return position === 0 ? 0 : view.state.doc.resolve(position).before(1);
  }

  /** Returns the position of an offset, or of its block if the offset is within markup. */
  private positionOf(offset: number): number {
    const { doc } = this.view.state;
    const found = this.sources.positionAt(doc, offset, 1);
    return found ?? Math.min(this.sources.blockAt(doc, offset).from + 1, doc.content.size);
  }

  /** Returns where a position is in the window. Blocks far from the window are not laid out for it. */
  private coordinates(position: number): { top: number } {
    const { view } = this;
    const place = view.state.doc.resolve(position);
    const block = view.nodeDOM(place.depth > 0 ? place.before(1) : position);
    if (!(block instanceof Element)) return view.coordsAtPos(position);
    const { top, bottom } = block.getBoundingClientRect();
    const isFar = bottom < -window.innerHeight || top > 2 * window.innerHeight;
    return isFar ? { top } : view.coordsAtPos(position);
  }

  private scrollTo(position: number, at: 'center' | 'start', frames: number): void {
    const { view } = this;
    if (view.isDestroyed || position > view.state.doc.content.size) return;
    const target = at === 'start' ? BARS - 20 : window.innerHeight / 2;
    const distance = this.coordinates(position).top - target;
    if (Math.abs(distance) >= 1) window.scrollBy(0, distance);
    if (frames === 0) return;
    requestAnimationFrame(() => {
      this.scrollTo(position, at, frames - 1);
    });
  }

  /** Opens a link with Ctrl or Cmd. In read-only text, the browser opens it. */
  private click(event: MouseEvent): boolean {
    if (!event.ctrlKey && !event.metaKey) return false;
    const link = event.target instanceof Element ? event.target.closest('a.link') : null;
    if (link instanceof HTMLAnchorElement && !this.readOnly) openAddress(link.href);
    // ProseMirror would select the block.
    return true;
  }

  /**
   * Inserts a typed letter itself. The browser would lay out the page to do it, and beside a link it may put the letter
   * into the link.
   */
  private insertText(event: InputEvent): boolean {
    const { data, inputType, isComposing, cancelable } = event;
    if (inputType !== 'insertText' || data === null || isComposing || !cancelable) return false;
    // Dictation and programs that expand abbreviations may insert several lines.
    if (data.includes('\n')) return false;
    const { view } = this;
    if (view.composing || !view.editable) return false;
    const { from, to } = view.state.selection;
    const insertion = () => view.state.tr.insertText(data, from, to).scrollIntoView();
    event.preventDefault();
    const isHandled = view.someProp('handleTextInput', (handle) =>
      handle(view, from, to, data, insertion),
    );
    if (isHandled !== true) view.dispatch(insertion());
    return true;
  }

  private pick({ target }: MouseEvent): boolean {
    const mark = target instanceof Element ? target.closest<HTMLElement>('[data-mark]') : null;
    if (mark) this.events.onPick(mark.dataset['mark'] ?? '');
    return false;
  }

  private attributes({ label, placeholder }: SurfaceOptions): Record<string, string> {
    return {
      class: 'surface',
      role: 'textbox',
      'aria-label': label,
      'aria-multiline': 'true',
      // Makes the region around it focusable, so that the keyboard can scroll it.
      tabindex: '0',
      ...(placeholder !== undefined && { 'aria-placeholder': placeholder }),
      ...(this.readOnly ? { 'aria-readonly': 'true' } : { spellcheck: 'true' }),
    };
  }

  private plugins(options: SurfaceOptions): Plugin[] {
    const { sources, events } = this;
    return [
      toolsWhenNeeded({ sources, options }),
      clipboardPlugin(),
      ...decorationPlugins(),
      currentBlocks(),
      ...(options.placeholder === undefined ? [] : [placeholderPlugin(options.placeholder)]),
      keymap({
        F7: () => events.onStep(1),
        'Shift-F7': () => events.onStep(-1),
        'Alt-Enter': openLink,
        'Mod-Shift-m': () => {
          togglePlainMarkdown();
          return true;
        },
      }),
      ...surfaceKeys(),
    ];
  }
}

/** Opens the link at the caret. */
const openLink: Command = ({ selection: { $head } }) => {
  const marks = [...$head.marks(), ...($head.nodeAfter?.marks ?? [])];
  const link = marks.find(({ type }) => type === schema.marks.link);
  const href = safeAddress(link && String(link.attrs['href']));
  if (href === undefined) return false;
  openAddress(href);
  return true;
};

/**
 * Gives the blocks of the caret and of the selection's start the class `current`. The browser must lay them out at once,
 * because it does not move the caret in a block that it skips, such as one that was just added.
 */
function currentBlocks(): Plugin {
  return new Plugin({
    props: {
      decorations: ({ doc, selection: { $anchor, $head } }) => {
        const starts = [$anchor, $head].flatMap((end) => (end.depth > 0 ? end.before(1) : []));
        const decorations = [...new Set(starts)].map((start) =>
          Decoration.node(start, start + (doc.nodeAt(start)?.nodeSize ?? 0), { class: 'current' }),
        );
        return DecorationSet.create(doc, decorations);
      },
    },
  });
}

/** Shows a hint while the document is empty. */
function placeholderPlugin(hint: string): Plugin {
  return new Plugin({
    props: {
      decorations: ({ doc }) => {
        const { firstChild } = doc;
        if (doc.childCount > 1 || firstChild?.type !== schema.nodes.paragraph) return null;
        if (firstChild.content.size > 0) return null;
        const hinted = { class: 'hinted', 'data-hint': hint };
        return DecorationSet.create(doc, [Decoration.node(0, firstChild.nodeSize, hinted)]);
      },
    },
  });
}
