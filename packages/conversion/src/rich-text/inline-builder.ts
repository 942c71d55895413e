import { sameMarks, type Image, type Inline, type Marks, type NoteReference } from './rich-text.js';

type Mark = Exclude<keyof Marks, 'link'>;

const COLLAPSED = /[ \t\n\f\r]+/g;

/** Builds the inlines of one paragraph. Collapses white space as a browser does. */
export class InlineBuilder {
  private inlines: Inline[] = [];
  /** Number of open elements that set the mark. */
  private readonly counts = new Map<Mark, number>();
  private readonly links: (string | undefined)[] = [];
  private marks: Marks = {};

  add(text: string): void {
    if (this.marks.code) {
      this.push(text.replace(/[\t\n\f\r]/g, ' '));
      return;
    }
    const collapsed = text.replace(COLLAPSED, ' ');
    const swallowed = collapsed.startsWith(' ') && this.endsInSpace();
    this.push(swallowed ? collapsed.slice(1) : collapsed);
  }

  lineBreak(): void {
    this.trimEnd();
    this.inlines.push({ kind: 'break' });
  }

  image(source: string, description: string): void {
    const { link } = this.marks;
    const image: Image = { kind: 'image', source, description };
    this.inlines.push(link === undefined ? image : { ...image, link });
  }

  note(reference: NoteReference): void {
    this.inlines.push(reference);
  }

  mark(mark: Mark): void {
    this.counts.set(mark, (this.counts.get(mark) ?? 0) + 1);
    this.refresh();
  }

  unmark(mark: Mark): void {
    this.counts.set(mark, (this.counts.get(mark) ?? 1) - 1);
    this.refresh();
  }

  /** Opens a link. `undefined` stands for an unsafe address, of which only the text remains. */
  openLink(address: string | undefined): void {
    this.links.push(address ?? this.links.at(-1));
    this.refresh();
  }

  closeLink(): void {
    this.links.pop();
    this.refresh();
  }

  /** Returns the inlines since the last call, without white space and breaks at the ends. */
  take(): Inline[] {
    this.trimEnd();
    while (this.inlines.at(-1)?.kind === 'break') {
      this.inlines.pop();
      this.trimEnd();
    }
    const taken = this.inlines;
    this.inlines = [];
    return taken;
  }

  private push(text: string): void {
    if (text === '') return;
    const last = this.inlines.at(-1);
    if (last?.kind === 'text' && sameMarks(last.marks, this.marks)) last.text += text;
    else this.inlines.push({ kind: 'text', text, marks: this.marks });
  }

  private refresh(): void {
    const on = (mark: Mark) => ((this.counts.get(mark) ?? 0) > 0 ? { [mark]: true } : {});
    const link = this.links.at(-1);
    this.marks = {
      ...on('bold'),
      ...on('italic'),
      ...on('strike'),
      ...on('underline'),
      ...on('code'),
      ...on('subscript'),
      ...on('superscript'),
      ...(link === undefined ? {} : { link }),
    };
  }

  /** Returns true if a space here would be redundant: at a line start or after another space. */
  private endsInSpace(): boolean {
    const last = this.inlines.at(-1);
    if (last === undefined || last.kind === 'break') return true;
    return last.kind === 'text' && last.text.endsWith(' ') && !last.marks.code;
  }

  private trimEnd(): void {
    for (let last = this.inlines.at(-1); last?.kind === 'text'; last = this.inlines.at(-1)) {
      if (last.marks.code) return;
      const trimmed = last.text.replace(/ +$/, '');
      if (trimmed !== '') {
        if (trimmed !== last.text) last.text = trimmed;
        return;
      }
      this.inlines.pop();
    }
  }
}
