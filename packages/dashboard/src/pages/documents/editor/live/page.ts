import { syntaxTree } from '@codemirror/language';
import { RangeSet, type EditorState, type Line, type Range } from '@codemirror/state';
import { Decoration, type DecorationSet, type WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';

export interface Span {
  from: number;
  to: number;
}

/** Longer lines show their Markdown. */
const LONGEST_LINE = 20_000;

const HIDDEN = Decoration.replace({});

export interface LiveDecorations {
  /** Marks, hidden ranges, widgets and lines. */
  inner: DecorationSet;
  /** Marks that contain others and must stay one element: cells and links. */
  outer: DecorationSet;
  /** Ranges that the caret never enters. */
  atomic: RangeSet<Decoration>;
}

export interface LiveInput {
  state: EditorState;
  /** Visible ranges. */
  visible: readonly Span[];
  /** Selected ranges. Empty if the editor has no focus or is read-only. */
  selected: readonly Span[];
}

/**
 * Collects the decorations of the visible lines. Each Markdown construct reads its nodes and adds decorations. Hidden
 * ranges contain no line break, because CodeMirror rejects those from a plugin.
 */
export class LivePage {
  readonly state: EditorState;
  /** The whole lines to decorate. */
  readonly span: Span;
  private readonly selected: readonly Span[];
  private readonly inner: Range<Decoration>[] = [];
  private readonly outer: Range<Decoration>[] = [];
  private readonly atomic: Range<Decoration>[] = [];

  constructor({ state, selected }: LiveInput, span: Span) {
    this.state = state;
    this.selected = selected;
    this.span = span;
  }

  /** True if a selected range is in the span or at its edge. */
  isTouched({ from, to }: Span): boolean {
    return this.selected.some((range) => range.from <= to && range.to >= from);
  }

  /** True if a selected range touches one of the lines of the span. */
  isOnLines({ from, to }: Span): boolean {
    const { doc } = this.state;
    return this.isTouched({ from: doc.lineAt(from).from, to: doc.lineAt(to).to });
  }

  /** The caret, if it is in the span. */
  caretIn({ from, to }: Span): number | undefined {
    return this.selected.find(
      (range) => range.from === range.to && from <= range.to && range.to <= to,
    )?.to;
  }

  text({ from, to }: Span): string {
    return this.state.sliceDoc(from, to);
  }

  /** Iterates over the lines of a node that are decorated. */
  *lines({ from, to }: Span): Generator<Line> {
    const end = Math.min(to, this.span.to);
    let at = Math.max(from, this.span.from);
    while (at <= end) {
      const line = this.state.doc.lineAt(at);
      yield line;
      at = line.to + 1;
    }
  }

  hide({ from, to }: Span): void {
    for (const line of this.lines({ from, to })) {
      const part = { from: Math.max(from, line.from), to: Math.min(to, line.to) };
      if (part.from < part.to) this.inner.push(HIDDEN.range(part.from, part.to));
    }
  }

  /** Shows a widget instead of a range within one line. */
  replace({ from, to }: Span, widget: WidgetType): void {
    this.inner.push(Decoration.replace({ widget }).range(from, to));
  }

  mark({ from, to }: Span, className: string): void {
    if (from < to) this.inner.push(Decoration.mark({ class: className }).range(from, to));
  }

  /** Adds a mark that contains all others in its range. */
  wrap({ from, to }: Span, spec: Parameters<typeof Decoration.mark>[0]): void {
    if (from < to) this.outer.push(Decoration.mark(spec).range(from, to));
  }

  line({ from }: Span, className: string, attributes?: Record<string, string>): void {
    this.inner.push(
      Decoration.line({ class: className, ...(attributes && { attributes }) }).range(from),
    );
  }

  /** Keeps the caret out of the span, which may contain line breaks. */
  skip({ from, to }: Span): void {
    if (from < to) this.atomic.push(HIDDEN.range(from, to));
  }

  addTo(all: LiveRanges): void {
    all.inner.push(...this.inner);
    all.outer.push(...this.outer);
    all.atomic.push(...this.atomic);
  }
}

interface LiveRanges {
  inner: Range<Decoration>[];
  outer: Range<Decoration>[];
  atomic: Range<Decoration>[];
}

/** Decorates the nodes of a Markdown construct, by node name. */
export type Construct = Readonly<Record<string, (node: SyntaxNode, page: LivePage) => void>>;

/** Returns the decorations of the visible lines. */
export function decorate(
  input: LiveInput,
  constructs: readonly Construct[],
  ofLines: (page: LivePage) => void,
): LiveDecorations {
  const all: LiveRanges = { inner: [], outer: [], atomic: [] };
  const tree = syntaxTree(input.state);
  for (const span of wholeLines(input)) {
    const page = new LivePage(input, span);
    tree.iterate({
      ...span,
      enter: (node) => {
        for (const construct of constructs) construct[node.name]?.(node.node, page);
      },
    });
    ofLines(page);
    page.addTo(all);
  }
  return {
    inner: RangeSet.of(all.inner, true),
    outer: RangeSet.of(all.outer, true),
    atomic: RangeSet.of(all.atomic, true),
  };
}

/** Returns the visible ranges as whole lines, without lines that are too long. */
function wholeLines({ state, visible }: LiveInput): Span[] {
  const spans: Span[] = [];
  let next = 0;
  for (const { from, to } of visible) {
    let at = Math.max(from, next);
    while (at <= to) {
      const line = state.doc.lineAt(at);
      const last = spans.at(-1);
      if (line.length <= LONGEST_LINE) {
        if (last?.to === line.from - 1) last.to = line.to;
        else spans.push({ from: line.from, to: line.to });
      }
      at = line.to + 1;
      next = at;
    }
  }
  return spans;
}
