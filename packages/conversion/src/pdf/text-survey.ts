import type { Block, Inline, Marks } from '../rich-text/rich-text.js';
import type { Family, Weight } from './font-files.js';
import { BODY, marked, weightOf } from './text-style.js';

/** Characters and styles of a document that need fonts. */
interface TextSurvey {
  codePoints: ReadonlySet<number>;
  styles: { family: Family; weight: Weight }[];
}

/** Characters that layout adds: bullets, numbers, checkboxes, and the replacement character. */
const OWN_TEXT = '0123456789.•☐☑ \ufffdimage';

/** Collects the characters and styles that occur in the blocks. */
export function surveyText(blocks: readonly Block[]): TextSurvey {
  const survey = new Survey();
  survey.text(OWN_TEXT, {});
  survey.blocks(blocks, {});
  return { codePoints: survey.codePoints, styles: [...survey.styles.values()] };
}

class Survey {
  readonly codePoints = new Set<number>();
  readonly styles = new Map<string, { family: Family; weight: Weight }>();

  blocks(blocks: readonly Block[], marks: Marks): void {
    for (const block of blocks) this.block(block, marks);
  }

  text(text: string, marks: Marks): void {
    for (const character of text) this.codePoints.add(character.codePointAt(0) ?? 0);
    const style = marked(BODY, marks);
    const weight = weightOf(style);
    this.styles.set(`${style.family} ${weight}`, { family: style.family, weight });
  }

  private block(block: Block, marks: Marks): void {
    switch (block.kind) {
      case 'paragraph':
        this.inlines(block.inlines, marks);
        break;
      case 'heading':
        this.inlines(block.inlines, { ...marks, bold: true });
        break;
      case 'quote':
        this.blocks(block.blocks, marks);
        break;
      case 'list':
        for (const { blocks } of block.items) this.blocks(blocks, marks);
        break;
      case 'code':
        this.text(block.text, { code: true });
        break;
      case 'table':
        for (const [index, row] of block.rows.entries()) {
          const bold = block.headed && index === 0;
          for (const { blocks } of row)
            this.blocks(blocks, bold ? { ...marks, bold: true } : marks);
        }
        break;
      case 'rule':
        break;
    }
  }

  private inlines(inlines: readonly Inline[], around: Marks): void {
    for (const inline of inlines) {
      if (inline.kind === 'note') this.text('', { ...around, superscript: true });
      if (inline.kind === 'text') this.text(inline.text, { ...around, ...inline.marks });
      if (inline.kind === 'image') {
        this.text(inline.description + inline.source, { ...around, italic: true });
      }
    }
  }
}
