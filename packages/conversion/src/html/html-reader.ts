import { Parser } from 'htmlparser2';
import { tooDemanding } from '../conversion-errors.js';
import { BlockBuilder } from '../rich-text/block-builder.js';
import { oneLine, text, type RichText } from '../rich-text/rich-text.js';
import { isImageData, safeImage, safeLink } from '../rich-text/safe-address.js';
import { FootnoteReader } from './footnote-reader.js';
import type { HtmlNode } from './html-tree.js';
import {
  alignmentOf,
  BLOCK_ELEMENTS,
  DROPPED_ELEMENTS,
  languageOf,
  MARKED_ELEMENTS,
  SILENT_ELEMENTS,
  startOf,
  TITLE_CLASS,
  type Attributes,
  type Mark,
} from './elements.js';

/** Called when the element ends. */
type Close = () => unknown;

const MAX_OPEN_ELEMENTS = 5_000;

const NOTHING: Close = () => undefined;

/** Parts of the HTML that Markdown cannot represent and that were dropped. */
export interface Losses {
  /** Names of elements, such as `iframe`. */
  elements: ReadonlySet<string>;
  unsafeLinks: number;
  embeddedImages: number;
}

export interface HtmlReading {
  text: RichText;
  losses: Losses;
}

interface HtmlReaderOptions {
  /** Whether to keep images with `data:` addresses, or only their descriptions. */
  embeddedImages: 'keep' | 'describe';
  /** Whether to read footnotes as such. Otherwise they are links and a list, as for a passage to insert elsewhere. */
  footnotes?: boolean;
}

/**
 * Reads HTML of any quality as formatted text. Only known elements and attributes have an effect, so scripts, styles
 * and remote content never pass. Throws `ConversionError` if the HTML nests more than 5,000 elements.
 */
export function readHtml(html: string, options: HtmlReaderOptions): HtmlReading {
  const reader = new HtmlReader(options);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        reader.open(name, attributes);
      },
      onclosetag: () => {
        reader.close();
      },
      ontext: (text) => {
        reader.text(text);
      },
    },
    { decodeEntities: true, recognizeSelfClosing: false },
  );
  parser.end(html);
  return reader.finish();
}

/** Reads parsed HTML like {@link readHtml}. */
export function readNodes(nodes: readonly HtmlNode[], options: HtmlReaderOptions): HtmlReading {
  const reader = new HtmlReader(options);
  const read = (node: HtmlNode) => {
    if (typeof node === 'string') {
      reader.text(node);
      return;
    }
    reader.open(node.name, node.attributes);
    node.children.forEach(read);
    reader.close();
  };
  nodes.forEach(read);
  return reader.finish();
}

class HtmlReader {
  private readonly blocks = new BlockBuilder();
  private readonly closes: Close[] = [];
  private readonly lostElements = new Set<string>();
  private unsafeLinks = 0;
  private embeddedImages = 0;
  /** Number of open elements in a dropped one, including it. */
  private dropped = 0;
  private title: string | undefined;
  /** The title that exported pages repeat above the text. */
  private shownTitle: string | undefined;
  private titleAtHand: 'title' | 'shownTitle' | undefined;
  private inTableHead = false;
  private readonly footnotes: FootnoteReader | undefined;

  constructor(private readonly options: HtmlReaderOptions) {
    if (options.footnotes) this.footnotes = new FootnoteReader(this.blocks);
  }

  open(name: string, attributes: Attributes): void {
    // No author nests elements this deeply, and parsing time grows with depth.
    if (this.closes.length >= MAX_OPEN_ELEMENTS)
      throw tooDemanding('contains HTML that is nested too deeply');
    if (this.dropped > 0 || DROPPED_ELEMENTS.has(name)) {
      if (!SILENT_ELEMENTS.has(name) && this.dropped === 0) this.lostElements.add(name);
      this.drop();
      return;
    }
    const part = this.footnotes?.begin(name, attributes);
    if (part === 'drop') this.drop();
    else this.closes.push(part?.close ?? this.begin(name, attributes));
  }

  private drop(): void {
    this.dropped += 1;
    this.closes.push(() => {
      this.dropped -= 1;
    });
  }

  close(): void {
    this.closes.pop()?.();
  }

  text(text: string): void {
    if (this.dropped > 0 || this.footnotes?.takes(text)) return;
    if (this.titleAtHand) this[this.titleAtHand] = (this[this.titleAtHand] ?? '') + text;
    else this.blocks.text(text);
  }

  finish(): HtmlReading {
    const blocks = this.blocks.finish();
    const title = oneLine(this.title ?? '') || undefined;
    const shown = oneLine(this.shownTitle ?? '');
    // A header with the same title is a duplicate. Any other header is text.
    if (shown !== '' && shown !== title) {
      blocks.unshift({ kind: 'heading', level: 1, inlines: [text(shown)] });
    }
    const notes = this.footnotes?.finish(blocks) ?? [];
    const { lostElements: elements, unsafeLinks, embeddedImages } = this;
    return {
      text: { title, blocks, ...(notes.length > 0 ? { notes } : {}) },
      losses: { elements, unsafeLinks, embeddedImages },
    };
  }

  private begin(name: string, attributes: Attributes): Close {
    const mark = MARKED_ELEMENTS.get(name);
    if (mark) return this.beginMarked(name, mark, attributes);
    if (/^h[1-6]$/.test(name)) {
      this.blocks.openHeading(Number(name[1]));
      return () => {
        this.blocks.closeHeading();
      };
    }
    return this.beginTable(name, attributes) ?? this.beginOther(name, attributes);
  }

  private beginMarked(name: string, mark: Mark, attributes: Attributes): Close {
    const close = this.beginBlock(name);
    if (name === 'code') this.blocks.nameLanguage(languageOf(attributes));
    this.blocks.inline.mark(mark);
    return () => {
      close();
      this.blocks.inline.unmark(mark);
    };
  }

  private beginTable(name: string, attributes: Attributes): Close | undefined {
    switch (name) {
      case 'table':
        this.blocks.openTable();
        return () => {
          this.blocks.closeTable();
        };
      case 'thead':
        this.inTableHead = true;
        return () => {
          this.inTableHead = false;
        };
      case 'tr':
        this.blocks.openRow(this.inTableHead);
        return NOTHING;
      case 'td':
      case 'th':
        this.blocks.openCell(name === 'th', alignmentOf(attributes), {
          columns: Number(attributes['colspan'] ?? 1),
          rows: Number(attributes['rowspan'] ?? 1),
        });
        return this.closeBlock;
      default:
        return undefined;
    }
  }

  private beginOther(name: string, attributes: Attributes): Close {
    switch (name) {
      case 'a':
        this.blocks.inline.openLink(this.link(attributes['href']));
        return () => {
          this.blocks.inline.closeLink();
        };
      case 'blockquote':
        this.blocks.openQuote();
        return this.closeBlock;
      case 'header':
        return attributes['class'] === TITLE_CLASS && this.shownTitle === undefined
          ? this.beginTitle('shownTitle')
          : this.beginBlock(name);
      case 'li':
        this.blocks.openItem();
        return this.closeBlock;
      case 'ol':
      case 'ul':
        this.blocks.openList(name === 'ol' ? startOf(attributes) : undefined);
        return this.closeBlock;
      case 'pre':
        this.blocks.openCode(languageOf(attributes));
        return () => {
          this.blocks.closeCode();
        };
      case 'title':
        // Only the first title counts: a drawing can have its own.
        return this.title === undefined ? this.beginTitle('title') : NOTHING;
      default:
        return this.beginEmpty(name, attributes) ?? this.beginBlock(name);
    }
  }

  /** Handles elements without content. */
  private beginEmpty(name: string, attributes: Attributes): Close | undefined {
    switch (name) {
      case 'br':
        this.blocks.lineBreak();
        return NOTHING;
      case 'hr':
        this.blocks.rule();
        return NOTHING;
      case 'img':
        this.image(attributes);
        return NOTHING;
      case 'input':
        if (attributes['type'] === 'checkbox') this.blocks.task('checked' in attributes);
        return NOTHING;
      default:
        return undefined;
    }
  }

  private beginBlock(name: string): Close {
    if (!BLOCK_ELEMENTS.has(name)) return NOTHING;
    this.blocks.endText();
    return () => {
      this.blocks.endText();
    };
  }

  private beginTitle(title: 'title' | 'shownTitle'): Close {
    this.titleAtHand = title;
    return () => (this.titleAtHand = undefined);
  }

  private readonly closeBlock: Close = () => {
    this.blocks.close();
  };

  private link(address: string | undefined): string | undefined {
    if (address === undefined) return undefined;
    const safe = safeLink(address);
    if (safe === undefined && address.trim() !== '') this.unsafeLinks += 1;
    return safe;
  }

  private image({ src = '', alt = '' }: Attributes): void {
    const source = safeImage(src);
    const description = oneLine(alt);
    const embedded = source !== undefined && isImageData(source);
    if (embedded || (source === undefined && /^\s*data:/i.test(src))) this.embeddedImages += 1;
    if (source === undefined || (embedded && this.options.embeddedImages === 'describe')) {
      this.blocks.inline.add(description);
    } else {
      this.blocks.inline.image(source, description);
    }
  }
}
