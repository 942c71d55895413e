import type { BlockBuilder } from '../rich-text/block-builder.js';
import {
  text,
  type Block,
  type Footnote,
  type Inline,
  type NoteReference,
} from '../rich-text/rich-text.js';
import type { Attributes } from './elements.js';
import { containsFootnotes, footnoteIdOf, isBackLink } from './footnote-elements.js';

interface FoundReference {
  id: string;
  /** Text of the link, such as `1`. */
  label: string;
  inline: NoteReference;
}

/** What an element is for footnotes. `close` is called when it ends; `drop` means that its content is not text. */
export type FootnotePart = { close: () => void } | 'drop' | undefined;

/** Finds references and footnotes in HTML, which come in any order, and joins them when the text has ended. */
export class FootnoteReader {
  private readonly references: FoundReference[] = [];
  private readonly notes = new Map<string, Block[]>();
  private reference: FoundReference | undefined;
  /** Number of open elements that contain footnotes. */
  private containers = 0;
  private isInNote = false;

  constructor(private readonly blocks: BlockBuilder) {}

  /** Begins an element if it is a part of footnotes. */
  begin(name: string, attributes: Attributes): FootnotePart {
    if (name === 'a') return this.beginLink(attributes);
    if (containsFootnotes(attributes)) {
      this.containers += 1;
      return { close: () => (this.containers -= 1) };
    }
    if (this.containers === 0 || this.isInNote) return undefined;
    if (name === 'li' && attributes['id'] !== undefined) return this.beginNote(attributes['id']);
    // The list and the line above it. A heading only names them.
    if (/^h[1-6]$/.test(name)) return 'drop';
    return /^(?:ol|ul|hr)$/.test(name) ? { close: () => undefined } : undefined;
  }

  /** Takes the text of a reference. Returns false for other text. */
  takes(text: string): boolean {
    if (!this.reference) return false;
    this.reference.label += text;
    return true;
  }

  /**
   * Numbers the references and returns the footnotes. References without a footnote become text, and footnotes without a
   * reference a list at the end of the blocks.
   */
  finish(blocks: Block[]): Footnote[] {
    const numbers = new Map<string, Footnote & { number: number }>();
    for (const { id, label, inline } of this.references) {
      const noteBlocks = this.notes.get(id);
      if (!noteBlocks) {
        becomeText(inline, label);
        continue;
      }
      const number = numbers.size + 1;
      const note = numbers.get(id) ?? { number, blocks: noteBlocks, references: 0 };
      numbers.set(id, note);
      note.references += 1;
      Object.assign(inline, { number: note.number, occurrence: note.references });
    }
    const others = [...this.notes].filter(([id]) => !numbers.has(id));
    const items = others.map(([, noteBlocks]) => ({ blocks: noteBlocks }));
    if (items.length > 0) blocks.push({ kind: 'list', start: 1, items });
    return [...numbers.values()].map((note) => ({
      blocks: note.blocks,
      references: note.references,
    }));
  }

  private beginLink(attributes: Attributes): FootnotePart {
    if (this.isInNote && isBackLink(attributes)) return 'drop';
    const id = footnoteIdOf(attributes);
    if (id === undefined || this.reference) return undefined;
    const inline: NoteReference = { kind: 'note', number: 0, occurrence: 0 };
    this.blocks.inline.note(inline);
    this.reference = { id, label: '', inline };
    this.references.push(this.reference);
    return { close: () => (this.reference = undefined) };
  }

  private beginNote(id: string): FootnotePart {
    this.blocks.openNote();
    this.isInNote = true;
    return {
      close: () => {
        this.isInNote = false;
        const blocks = this.blocks.closeNote();
        if (!this.notes.has(id)) this.notes.set(id, blocks);
      },
    };
  }
}

function becomeText(inline: Inline, label: string): void {
  Object.assign(inline, text(label, { superscript: true }));
}
