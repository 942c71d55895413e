import { TableBuilder, type CellSpan } from './table-builder.js';
import { InlineBuilder } from './inline-builder.js';
import { MAX_NESTING, type Alignment, type Block, type List, type ListItem } from './rich-text.js';

/** A container that receives blocks. */
interface Place {
  blocks: Block[];
  /** The open list or table. Its items or cells receive the blocks. */
  list?: List;
  item?: ListItem;
  table?: TableBuilder;
}

/** Builds blocks in reading order. Close everything that you open, in reverse order. */
export class BlockBuilder {
  readonly inline = new InlineBuilder();
  private readonly root: Block[] = [];
  private readonly places: Place[] = [{ blocks: this.root }];
  private headingLevel: number | undefined;
  private code: { language: string; text: string; fresh: boolean } | undefined;

  /** Returns all blocks so far. */
  finish(): Block[] {
    this.endText();
    return withoutEmpty(this.root);
  }

  /** Adds text to the open paragraph, heading or code block. */
  text(text: string): void {
    if (this.code) this.addCode(text);
    else this.inline.add(text);
  }

  lineBreak(): void {
    if (this.code) this.code.text += '\n';
    else this.inline.lineBreak();
  }

  /** Ends the open paragraph or heading. */
  endText(): void {
    const inlines = this.inline.take();
    if (inlines.length === 0) return;
    this.add(
      this.headingLevel === undefined
        ? { kind: 'paragraph', inlines }
        : { kind: 'heading', level: this.headingLevel, inlines },
    );
  }

  openHeading(level: number): void {
    this.endText();
    this.headingLevel = level;
  }

  closeHeading(): void {
    this.endText();
    this.headingLevel = undefined;
  }

  openCode(language: string): void {
    this.endText();
    this.code ??= { language, text: '', fresh: true };
  }

  /** Sets the language of the open code block, if an element in it names one. */
  nameLanguage(language: string): void {
    if (!this.code) return;
    this.code.fresh = false;
    this.code.language ||= language;
  }

  closeCode(): void {
    if (!this.code) return;
    const { language, text } = this.code;
    this.code = undefined;
    this.add({ kind: 'code', language, text: text.replace(/\n$/, '') });
  }

  rule(): void {
    this.endText();
    this.add({ kind: 'rule' });
  }

  openQuote(): void {
    this.endText();
    if (this.stayed()) return;
    const blocks: Block[] = [];
    this.add({ kind: 'quote', blocks });
    this.places.push({ blocks });
  }

  /** Opens a list. `start` is the number of the first item; without it the list has bullets. */
  openList(start: number | undefined): void {
    this.endText();
    if (this.stayed()) return;
    const list: List = { kind: 'list', start, items: [] };
    this.add(list);
    this.places.push({ blocks: this.place.blocks, list });
  }

  openItem(): void {
    this.endText();
    if (this.stayed()) return;
    const item: ListItem = { blocks: [] };
    this.listAtHand().items.push(item);
    this.places.push({ blocks: item.blocks, item });
  }

  /** Makes the current item a task. */
  task(checked: boolean): void {
    const { item } = this.place;
    if (item?.blocks.length === 0) item.checked = checked;
  }

  openTable(): void {
    this.endText();
    if (this.stayed()) return;
    this.places.push({ blocks: this.place.blocks, table: new TableBuilder() });
  }

  closeTable(): void {
    const { table } = this.place;
    this.close();
    const built = table?.build();
    if (built) this.add(built);
  }

  openRow(inHead: boolean): void {
    this.endText();
    this.place.table?.openRow(inHead);
  }

  openCell(header: boolean, alignment: Alignment, span: CellSpan): void {
    this.endText();
    const blocks = this.place.table?.openCell(header, alignment, span);
    this.places.push({ blocks: blocks ?? this.place.blocks });
  }

  /** Opens a footnote, whose blocks are not part of the text. */
  openNote(): void {
    this.endText();
    this.places.push({ blocks: [] });
  }

  closeNote(): Block[] {
    const { blocks } = this.place;
    this.close();
    return withoutEmpty(blocks);
  }

  /** Closes the innermost quote, list, item or cell. */
  close(): void {
    this.endText();
    if (this.places.length > 1) this.places.pop();
  }

  private get place(): Place {
    return this.places.at(-1) ?? { blocks: this.root };
  }

  /** Returns true if the nesting exceeds {@link MAX_NESTING}. Then nothing opens, and content stays at the last level. */
  private stayed(): boolean {
    if (this.places.length <= MAX_NESTING) return false;
    const { blocks, list } = this.place;
    this.places.push(list ? { blocks, list } : { blocks });
    return true;
  }

  /** Returns the open list. An item outside any list continues the previous one or starts a new one. */
  private listAtHand(): List {
    const { list, blocks } = this.place;
    if (list) return list;
    const before = blocks.at(-1);
    if (before?.kind === 'list') return before;
    const begun: List = { kind: 'list', start: undefined, items: [] };
    this.add(begun);
    return begun;
  }

  /** Adds code without the line break after the opening tag. */
  private addCode(text: string): void {
    if (!this.code) return;
    this.code.text += this.code.fresh ? text.replace(/^\n/, '') : text;
    this.code.fresh = false;
  }

  private add(block: Block): void {
    const { list, blocks } = this.place;
    // Text between list items belongs to the previous item.
    if (list) itemBlocks(list).push(block);
    else blocks.push(block);
  }
}

/** Removes lists without items and quotes without text. */
function withoutEmpty(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block): Block[] => {
    switch (block.kind) {
      case 'quote': {
        const inner = withoutEmpty(block.blocks);
        return inner.length === 0 ? [] : [{ ...block, blocks: inner }];
      }
      case 'list': {
        const items = block.items.map((item) => ({ ...item, blocks: withoutEmpty(item.blocks) }));
        return items.length === 0 ? [] : [{ ...block, items }];
      }
      default:
        return [block];
    }
  });
}

function itemBlocks(list: List): Block[] {
  const last = list.items.at(-1);
  if (last) return last.blocks;
  const blocks: Block[] = [];
  list.items.push({ blocks });
  return blocks;
}
