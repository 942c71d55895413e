/** A piece of a page: as high as a line, and never parted. */
export interface Box {
  /** In points. */
  height: number;
  /** Only keeps things apart: left out where a page begins. */
  space?: true;
  /** Stays on one page with what follows, as a heading does. */
  keep?: boolean;
  /** Painted anew above this one when it begins a page, as the header of a table is. */
  repeat?: readonly Box[];
  /** Needs a page that is wider than high. */
  landscape?: boolean;
  /** Draws it with its upper left corner there. */
  paint: (x: number, y: number) => void;
}

export const nothing = (height: number): Box => ({ height, space: true, paint: () => undefined });

/** The box with more painted around it, or elsewhere; what it repeats likewise. */
export function repainted(box: Box, paint: (box: Box, x: number, y: number) => void): Box {
  return {
    ...box,
    ...(box.repeat ? { repeat: box.repeat.map((one) => repainted(one, paint)) } : {}),
    paint: (x, y) => {
      paint(box, x, y);
    },
  };
}

/** The part of a page that is for text. */
export interface PageArea {
  left: number;
  top: number;
  bottom: number;
}

/** Lays boxes onto pages from top to bottom. */
export class PageFlow {
  private page: { area: PageArea; landscape: boolean } | undefined;
  private y = 0;
  /** Boxes that wait for what they are to stay with. */
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
      // What stays together may be higher than a page.
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
