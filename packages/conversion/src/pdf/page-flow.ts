/** A piece of a page, as high as a line, that is never split. */
export interface Box {
  /** Points. */
  height: number;
  /** True for a spacer, which is skipped at the top of a page. */
  space?: true;
  /** True to keep the box on the same page as the next one, as for a heading. */
  keep?: boolean;
  /** Boxes to repeat above this one at the top of a page, such as a table header. */
  repeat?: readonly Box[];
  /** True if the box needs a landscape page. */
  landscape?: boolean;
  /** Draws the box with its upper left corner at this position. */
  paint: (x: number, y: number) => void;
}

export const nothing = (height: number): Box => ({ height, space: true, paint: () => undefined });

/** Wraps the painting of a box and of the boxes it repeats. */
export function repainted(box: Box, paint: (box: Box, x: number, y: number) => void): Box {
  return {
    ...box,
    ...(box.repeat ? { repeat: box.repeat.map((one) => repainted(one, paint)) } : {}),
    paint: (x, y) => {
      paint(box, x, y);
    },
  };
}

/** The area of a page for text. */
export interface PageArea {
  left: number;
  top: number;
  bottom: number;
}

/** Places boxes on pages from top to bottom. */
export class PageFlow {
  private page: { area: PageArea; landscape: boolean } | undefined;
  private y = 0;
  /** Boxes that wait for the next box because they must stay with it. */
  private held: Box[] = [];

  constructor(private readonly addPage: (landscape: boolean) => PageArea) {}

  place(box: Box): void {
    if (box.keep ?? (box.space && this.held.length > 0)) {
      this.held.push(box);
      return;
    }
    if (box.space) {
      this.y += box.height;
      return;
    }
    const group = [...this.held, box];
    this.held = [];
    const height = group.reduce((sum, one) => sum + one.height, 0);
    if (!this.hasRoom(height, box)) this.breakPage(box);
    for (const one of group) {
      // Boxes that stay together can be higher than a page.
      if (!this.hasRoom(one.height, box)) this.breakPage(box);
      this.paint(one);
    }
  }

  finish(): void {
    const last = this.held.pop();
    if (last) this.place({ ...last, keep: false });
    if (!this.page) this.addPage(false);
  }

  private hasRoom(height: number, { landscape = false }: Box): boolean {
    if (this.page?.landscape !== landscape) return false;
    const { top, bottom } = this.page.area;
    return this.y === top || this.y + height <= bottom;
  }

  private breakPage({ landscape = false, repeat = [] }: Box): void {
    const area = this.addPage(landscape);
    this.page = { area, landscape };
    this.y = area.top;
    for (const box of repeat) this.paint(box);
  }

  private paint(box: Box): void {
    if (!this.page || (box.space && this.y === this.page.area.top)) return;
    box.paint(this.page.area.left, this.y);
    this.y += box.height;
  }
}
