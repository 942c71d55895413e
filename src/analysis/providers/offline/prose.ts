import type { TextRange } from '../../analysis.js';

/** A run of prose: a paragraph, a heading, an item of a list, a cell. Ranges are in the whole text. */
export interface Paragraph extends TextRange {
  kind: 'paragraph' | 'heading' | 'list-item' | 'cell' | 'quote';
  /** 1 to 6 of a heading. */
  depth?: number;
  /**
   * As long as the passage in the text. What is no prose (code, URLs, link targets, HTML, template variables, Markdown's
   * own signs) is masked: see `MASK`. A position here plus `start` is a position in the text.
   */
  prose: string;
  /** Masked ranges, relative to the paragraph: a finding that touches one is dropped. */
  masked: TextRange[];
}

/** Stands for one masked UTF-16 unit: no letter, no punctuation, no white space to any rule. */
export const MASK = '￼';
