/** A piece of a page: as high as a line, and never parted. */
export interface Box {
  /** In points. */
  height: number;
  /** Only keeps things apart: left out where a page begins. */
  space?: true;
  /** Stays on one page with what follows, as a heading does. */
  keep?: true;
  /** Painted anew above this one when it begins a page, as the header of a table is. */
  repeat?: readonly Box[];
  /** Draws it with its upper left corner there. */
  paint: (x: number, y: number) => void;
}

export const nothing = (height: number): Box => ({ height, space: true, paint: () => undefined });

export interface PageArea {
  left: number;
  top: number;
  bottom: number;
}

/** Lays boxes onto pages from top to bottom. */
export class PageFlow {
  private y: number;
  /** Boxes that wait for what they are to stay with. */
  private held: Box[] = [];

  constructor(
    private readonly area: PageArea,
    private readonly addPage: () => void,
  ) {
    this.y = area.top;
  }

  place(box: Box): void {
    if (box.keep ?? (box.space && this.held.length > 0)) {
      this.held.push(box);
      return;
    }
    const group = [...this.held, box];
    this.held = [];
    if (box.space) {
      this.y += box.height;
      return;
    }
    const height = group.reduce((sum, one) => sum + one.height, 0);
    if (this.y + height > this.area.bottom && this.y > this.area.top) this.breakPage(box);
    for (const one of group) this.paint(one);
  }

  finish(): void {
    for (const box of this.held) this.paint(box);
    this.held = [];
  }

  private breakPage({ repeat = [] }: Box): void {
    this.addPage();
    this.y = this.area.top;
    for (const box of repeat) this.paint(box);
  }

  private paint(box: Box): void {
    if (box.space && this.y === this.area.top) return;
    box.paint(this.area.left, this.y);
    this.y += box.height;
  }
}
