import type { TextRange } from '../analysis.js';
import type { Paragraph } from '../text/prose.js';
import { sentencesOf } from '../text/sentences.js';
import type { CapitalPosition } from './english-judgement.js';

export type WordPlace = CapitalPosition | 'lower-case';

/** Maximum length of a heading or list item whose words are all capitalized, in UTF-16 units. */
const LONGEST_TITLE = 120;

/** Finds out where unknown words of a text stand. */
export class WordPlaces {
  private starts: ReadonlySet<number> | undefined;
  private title: boolean | undefined;

  /** `text` is the reading of a paragraph. */
  constructor(
    private readonly text: string,
    private readonly kind: Paragraph['kind'],
  ) {}

  /** Returns `undefined` for abbreviations and parts of identifiers, which are never reported. */
  of({ start, end }: TextRange): WordPlace | undefined {
    const { text } = this;
    const word = text.slice(start, end);
    if (/\p{Lu}/u.test(word.slice(1)) || this.isPartOfIdentifier({ start, end })) return undefined;
    // A heading, cell or label of one word is often a name, in any case.
    if (start === 0 && end >= text.trimEnd().length && !/[.!?]$/.test(text))
      return this.kind === 'cell' ? 'before-capital' : 'title-start';
    return /^\p{Lu}/u.test(word) ? this.capitalPlace({ start, end }) : 'lower-case';
  }

  private capitalPlace({ start, end }: TextRange): CapitalPosition | undefined {
    const after = this.text.slice(end, end + 4);
    const isFirst = this.startsSentence(start);
    if (isFirst && /^,? I\b/.test(after)) return 'before-i';
    if (this.kind !== 'cell' && this.isTitle()) return isFirst ? 'title-start' : 'title';
    const isBeforeCapital = /^,? ?\p{Lu}/u.test(after);
    if (isFirst) return isBeforeCapital ? 'before-capital' : 'sentence-start';
    return isBeforeCapital || this.followsCapital(start) ? undefined : 'mid-sentence';
  }

  private isPartOfIdentifier({ start, end }: TextRange): boolean {
    const before = this.text.slice(Math.max(0, start - 2), start);
    const after = this.text.slice(end, end + 2);
    // Part of a word with mixed scripts.
    if (/\p{L}$/u.test(before) || /^\p{L}/u.test(after)) return true;
    return end - start < 7 && (/[-/_.@#=:|\\]$/.test(before) || /^[-/_@#=|\\(]/.test(after));
  }

  /** Returns true if another capitalized word comes before, as in `Ada Lovelace`, unless it starts the sentence. */
  private followsCapital(start: number): boolean {
    const before = this.text.slice(Math.max(0, start - 40), start);
    const previous = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}'’-]*\.?\s+$/u.exec(before)?.[0];
    return previous !== undefined && !this.startsSentence(start - previous.length);
  }

  /** Returns true for a heading or list item whose longer words are all capitalized. */
  private isTitle(): boolean {
    this.title ??=
      this.text.length <= LONGEST_TITLE &&
      !/[.!?]$/.test(this.text) &&
      !/(?<![\p{L}'’-])\p{Ll}{4}/u.test(this.text);
    return this.title;
  }

  private startsSentence(start: number): boolean {
    // Sentences start with letters, so quotation marks and brackets come before the word.
    const opening = /["'“‘([]*$/.exec(this.text.slice(Math.max(0, start - 3), start))?.[0] ?? '';
    this.starts ??= new Set(sentencesOf(this.text).map((sentence) => sentence.start));
    return (
      this.starts.has(start - opening.length) ||
      /:["'”’)]?\s+["'“‘(]?$/.test(this.text.slice(Math.max(0, start - 6), start))
    );
  }
}
