import type { Mark, Node } from 'prosemirror-model';
import { schema } from './schema.js';

const { nodes } = schema;

/**
 * Text that a node shows and its source. `position` counts from the start of the block's node, `offset` from the start
 * of its Markdown. `length` and `sourceLength` differ for an escape, an entity, a line break and an image.
 */
export interface Segment {
  position: number;
  offset: number;
  length: number;
  sourceLength: number;
}

export type Marks = readonly Mark[];

/** The inline nodes of one text block. Offsets of its segments count from the start of the source. */
export class InlineContent {
  readonly nodes: Node[] = [];
  readonly segments: Segment[] = [];

  constructor(public position: number) {}

  add(text: string, set: Marks, source: { from: number; length?: number }): void {
    if (text === '') return;
    this.addSegment(text.length, source.from, source.length ?? text.length);
    const last = this.nodes.at(-1);
    const node = schema.text(text, set);
    if (last?.isText && last.sameMarkup(node)) {
      this.nodes[this.nodes.length - 1] = schema.text((last.text ?? '') + text, set);
    } else {
      this.nodes.push(node);
    }
  }

  addNode(node: Node, source: { from: number; length: number }): void {
    this.addSegment(1, source.from, source.length);
    this.nodes.push(node);
  }

  /** Removes what Markdown does not show at the end of a text: spaces and line breaks. */
  trim(): void {
    for (let last = this.nodes.at(-1); last; last = this.nodes.at(-1)) {
      const text = last.isText && !last.marks.some(({ type }) => type.spec.code) ? last.text : '';
      const kept = text?.replace(/[ \t]+$/, '') ?? '';
      if (last.type !== nodes['hard_break'] && kept === text) break;
      this.nodes.pop();
      this.position -= last.nodeSize - kept.length;
      if (kept !== '') this.nodes.push(schema.text(kept, last.marks));
    }
    for (let last = this.segments.at(-1); last; last = this.segments.at(-1)) {
      const extra = last.position + last.length - this.position;
      if (extra <= 0) break;
      this.segments.pop();
      if (extra < last.length) {
        const length = last.length - extra;
        this.segments.push({ ...last, length, sourceLength: length });
      }
    }
  }

  /** A heading has no breaks. */
  onOneLine(): Node[] {
    const line = new InlineContent(0);
    for (const node of this.nodes) {
      if (node.type === nodes['hard_break']) line.add(' ', node.marks, { from: 0 });
      else if (node.isText) line.add(node.text ?? '', node.marks, { from: 0 });
      else line.addNode(node, { from: 0, length: 0 });
    }
    return line.nodes;
  }

  private addSegment(length: number, offset: number, sourceLength: number): void {
    this.segments.push({ position: this.position, offset, length, sourceLength });
    this.position += length;
  }
}
