import type { Edit } from '@document-service/text-merge/text-edits';
import type { Heading } from './headings.js';
import type { Mark } from './marks.js';

/** What a view of the text reports to the editor. */
export interface TextViewEvents {
  /**
   * Called after the text changed. `edits` lead from the former text to this one, if the view knows them.
   * `isByPerson` is false for changes by {@link TextView.setText}.
   */
  onText: (text: string, change: { isByPerson: boolean; edits?: readonly Edit[] }) => void;
  /** Called after a click on a marked passage. */
  onPick: (id: string) => void;
  /** Called for F7 and Shift+F7. Returns false if no passage is marked. */
  onStep: (direction: 1 | -1) => boolean;
  /** Called when marked passages may have moved on the page. */
  onMove: () => void;
}

/**
 * A view of Markdown: the writing surface or plain Markdown. Offsets are UTF-16 units of the Markdown, whose line
 * breaks are `\n`.
 */
export interface TextView {
  /** Shows another text, outside of the undo history. `tint` highlights the new words. */
  setText: (text: string, tint: boolean) => void;
  /** Edits the text as one undo step. */
  replace: (edits: readonly Edit[]) => void;
  /** Shows these marks and no others. */
  showMarks: (marks: readonly Mark[]) => void;
  /** Returns the distance of an offset from the top of the window, in px. */
  topOf: (offset: number) => number;
  setReadOnly: (readOnly: boolean) => void;
  /** Selects a range and scrolls to it. */
  select: (from: number, to: number, at: 'center' | 'start') => void;
  /** Returns the headings of the first three levels. */
  headings: () => Heading[];
  /** Returns the offset at the top of the window. */
  topPosition: () => number;
  /** Returns the offset of the caret. */
  caret: () => number;
  hasFocus: () => boolean;
  focus: () => void;
  destroy: () => void;
}

/** Height of the bars that cover the top of the page plus one line, in px. */
export const BARS = 130;

/** How long the words of others are highlighted, in ms. */
export const TINT_MS = 2_000;
