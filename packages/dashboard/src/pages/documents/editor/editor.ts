import type { Edit } from '@document-service/text-merge/text-edits';
import { HeadingsWatch, type Heading } from './headings.js';
import { OriginalText, withPlainLineBreaks } from './line-breaks.js';
import { isPlainMarkdown, onModeChange } from './mode.js';
import {
  isOriginal,
  Marks,
  type Mark,
  type MarkedRange,
  type MarkPlace,
  type MarkSource,
} from './marks.js';
import type { FileOptions } from './paste/files.js';
import { createSurface } from './surface/surface.js';
import type { TextView, TextViewEvents } from './text-view.js';

export interface EditorOptions extends FileOptions {
  /** Accessible name of the text box. */
  label: string;
  text: string;
  readOnly: boolean;
  placeholder?: string | undefined;
  /** Called after a person changed the text. */
  onChange: (text: string) => void;
  /** Called after a click on a marked range. */
  onPick?: (id: string) => void;
}

type PlacesListener = (places: readonly MarkPlace[]) => void;

/**
 * What a page can do with an editor. Positions are UTF-16 offsets in the Markdown, whose line breaks are `\n` in the
 * editor.
 */
export interface EditorHandle {
  /** Shows another text and keeps the cursor and the undo history. `tint` highlights the new words. */
  setText: (text: string, options?: { tint: boolean }) => void;
  /** Edits the text like a person, as one undo step. Positions are those of the editor. */
  replace: (edits: readonly Edit[]) => void;
  /** Replaces the marks of this source. Marks move with the text. */
  mark: (source: MarkSource, ranges: readonly MarkedRange[]) => void;
  /** Returns the marks of this source in text order. */
  marks: (source: MarkSource) => readonly (Mark & { isOriginal: boolean; text: string })[];
  /**
   * Reports the positions of the marked passages to the listener, now and whenever they may have moved. Returns a
   * function that stops this.
   */
  onPlaces: (listener: PlacesListener) => () => void;
  setReadOnly: (readOnly: boolean) => void;
  /** Selects a range and scrolls to it. */
  jumpTo: (from: number, to: number, at?: 'center' | 'start') => void;
  /** Selects a marked passage and scrolls to it. */
  jumpToMark: (id: string) => void;
  /** Reports the headings to the listener, now and whenever they change. Returns a function that stops this. */
  onHeadings: (listener: (headings: readonly Heading[]) => void) => () => void;
  /** Returns the text position at the top of the window. */
  topPosition: () => number;
  focus: () => void;
  destroy: () => void;
}

/** Longer texts are shown as plain Markdown, in UTF-16 units. */
const LONGEST_ON_SURFACE = 1_000_000;

const NOT_LOADED = "Couldn't show plain Markdown: the server can't be reached.";

/** A Markdown editor: a writing surface, or plain Markdown if the person prefers it. */
export function createEditor(host: HTMLElement, options: EditorOptions): EditorHandle {
  return new Editor(host, options);
}

class Editor implements EditorHandle {
  /** The text in the editor, with `\n` only. */
  private text: string;
  private original: OriginalText;
  private readOnly: boolean;
  /** Undefined until plain Markdown is loaded for the first time. */
  private view: TextView | undefined;
  private isPlain = false;
  private isDestroyed = false;
  private wantsFocus = false;
  private readonly passages = new Marks();
  private readonly headings = new HeadingsWatch(() => this.view?.headings() ?? []);
  private readonly placesListeners = new Set<PlacesListener>();
  private frame = 0;
  private readonly forgetMode: () => void;

  constructor(
    private readonly host: HTMLElement,
    private readonly options: EditorOptions,
  ) {
    host.replaceChildren();
    this.original = new OriginalText(options.text);
    this.text = withPlainLineBreaks(options.text);
    this.readOnly = options.readOnly;
    this.forgetMode = onModeChange(() => {
      this.show();
    });
    this.show();
  }

  setText(text: string, { tint } = { tint: false }): void {
    this.original = new OriginalText(text);
    const plainText = withPlainLineBreaks(text);
    if (this.view) this.view.setText(plainText, tint);
    else this.take(plainText);
  }

  replace(edits: readonly Edit[]): void {
    this.view?.replace(edits);
  }

  mark(source: MarkSource, ranges: readonly MarkedRange[]): void {
    this.passages.set(source, ranges, this.text.length);
    this.view?.showMarks(this.passages.shownIn(this.text));
    this.tellPlaces();
  }

  marks(source: MarkSource): readonly (Mark & { isOriginal: boolean; text: string })[] {
    return this.passages.all
      .filter((mark) => mark.source === source)
      .map((mark) => ({
        ...mark,
        isOriginal: isOriginal(this.text, mark),
        text: this.text.slice(mark.from, mark.to),
      }));
  }

  onPlaces(listener: PlacesListener): () => void {
    this.placesListeners.add(listener);
    this.tellPlaces();
    return () => {
      this.placesListeners.delete(listener);
    };
  }

  setReadOnly(readOnly: boolean): void {
    if (readOnly === this.readOnly) return;
    this.readOnly = readOnly;
    this.view?.setReadOnly(readOnly);
  }

  jumpTo(from: number, to: number, at: 'center' | 'start' = 'center'): void {
    const { length } = this.text;
    this.view?.select(Math.min(from, length), Math.min(to, length), at);
  }

  jumpToMark(id: string): void {
    const mark = this.passages.all.find((one) => one.id === id);
    if (mark) this.jumpTo(mark.from, mark.to);
  }

  onHeadings(listener: (headings: readonly Heading[]) => void): () => void {
    return this.headings.listen(listener);
  }

  topPosition(): number {
    return this.view?.topPosition() ?? 0;
  }

  focus(): void {
    if (this.view) this.view.focus();
    else this.wantsFocus = true;
  }

  destroy(): void {
    this.isDestroyed = true;
    cancelAnimationFrame(this.frame);
    this.headings.stop();
    this.forgetMode();
    this.view?.destroy();
  }

  /** Shows the view that the person wants, if the text allows it. */
  private show(): void {
    const isWanted = isPlainMarkdown() || this.text.length > LONGEST_ON_SURFACE;
    if (this.view && isWanted === this.isPlain) return;
    if (isWanted) void this.showPlain();
    else this.showSurface();
  }

  private showSurface(): void {
    try {
      this.swap((parts) => createSurface(this.host, { ...this.options, ...parts }), false);
    } catch (error) {
      reportError(error);
      if (!this.view) void this.showPlain();
    }
  }

  private async showPlain(): Promise<void> {
    try {
      // Does not use `loadPart`, which may reload the page while somebody types.
      const { createPlain } = await import('./plain/plain.js');
      const isWanted = isPlainMarkdown() || !this.view;
      if (this.isDestroyed || this.isPlain || !isWanted) return;
      this.swap((parts) => createPlain(this.host, { ...this.options, ...parts }), true);
    } catch {
      this.options.onNotice?.(NOT_LOADED);
    }
  }

  /** Replaces the view. Text, marks, caret and focus stay; the undo history starts again. */
  private swap(create: (parts: ViewParts) => TextView, isPlain: boolean): void {
    const { view: former } = this;
    const caret = former?.caret();
    const hasFocus = this.wantsFocus || former?.hasFocus() === true;
    const view = create({ text: this.text, readOnly: this.readOnly, events: this.events() });
    former?.destroy();
    this.view = view;
    this.isPlain = isPlain;
    this.wantsFocus = false;
    view.showMarks(this.passages.shownIn(this.text));
    if (caret !== undefined && hasFocus) view.select(caret, caret, 'center');
    else if (hasFocus) view.focus();
    this.headings.tellSoon(0);
    this.tellPlaces();
  }

  private events(): TextViewEvents {
    return {
      onText: (text, { isByPerson, edits }) => {
        this.original.change(text, edits);
        this.take(text, edits);
        if (isByPerson) this.options.onChange(this.original.text);
      },
      onPick: (id) => this.options.onPick?.(id),
      onStep: (direction) => this.step(direction),
      onMove: () => {
        this.tellPlaces();
      },
    };
  }

  private take(text: string, edits?: readonly Edit[]): void {
    this.passages.move(this.text, text, edits);
    this.text = text;
    this.headings.tellSoon();
    if (this.passages.all.length === 0) return;
    this.view?.showMarks(this.passages.shownIn(text));
    this.tellPlaces();
  }

  /** Selects and picks the next or previous marked passage. */
  private step(direction: 1 | -1): boolean {
    const passages = this.passages.all.filter((mark) => isOriginal(this.text, mark));
    const caret = this.view?.caret() ?? 0;
    const next =
      direction === 1
        ? (passages.find(({ from }) => from > caret) ?? passages[0])
        : (passages.findLast(({ from }) => from < caret) ?? passages.at(-1));
    if (!next) return false;
    this.jumpTo(next.from, next.to);
    this.options.onPick?.(next.id);
    return true;
  }

  private tellPlaces(): void {
    if (this.placesListeners.size === 0) return;
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      const { view } = this;
      if (!view || !this.host.isConnected) return;
      const { top } = this.host.getBoundingClientRect();
      const places = this.passages.all.map((mark) => ({
        ...mark,
        top: view.topOf(mark.from) - top,
        isOriginal: isOriginal(this.text, mark),
      }));
      for (const listener of this.placesListeners) listener(places);
    });
  }
}

interface ViewParts {
  text: string;
  readOnly: boolean;
  events: TextViewEvents;
}
