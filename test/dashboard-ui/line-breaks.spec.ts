import fc from 'fast-check';
import {
  editorPosition,
  OriginalText,
  withPlainLineBreaks,
} from '../../packages/dashboard/src/pages/documents/editor/line-breaks.js';
import { propertyRuns } from '../support/property-runs.js';

const LINE_BREAKS = ['\n', '\r\n', '\r'] as const;

const piece = fc.oneof(
  fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\n\r\n'),
  fc.string({ maxLength: 4 }).filter((text) => !/[\r\n]/.test(text)),
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const edits = fc.array(
  fc.record({
    at: fc.nat(200),
    removed: fc.nat(6),
    insert: fc.constantFrom('', 'x', '\n', 'a\nb'),
  }),
  { maxLength: 20 },
);
/** A line break, and what somebody does to the line before it. */
const line = fc.record({
  kind: fc.constantFrom(...LINE_BREAKS),
  change: fc.constantFrom('none', 'none', 'type', 'split', 'remove', 'join'),
});

const breaksOf = (of: string) => [...of.matchAll(/\r\n|\r|\n/g)].map(([found]) => found);

/** Where a line break of a text ends. */
const endOf = (of: string, index: number) => {
  const found = [...of.matchAll(/\r\n|\r|\n/g)][index];
  return (found?.index ?? 0) + (found?.[0].length ?? 0);
};

/** An editor that has the text, as far as its line breaks go. `isExact` is true if it reports its edits. */
class Editor {
  plain: string;
  private readonly original: OriginalText;

  constructor(
    text: string,
    private readonly isExact = true,
  ) {
    this.original = new OriginalText(text);
    this.plain = withPlainLineBreaks(text);
  }

  /** Returns the edit that undoes this one. */
  change(edit: { from: number; to: number; insert: string }) {
    const removed = this.plain.slice(edit.from, edit.to);
    this.plain = this.plain.slice(0, edit.from) + edit.insert + this.plain.slice(edit.to);
    this.original.change(this.plain, this.isExact ? [edit] : undefined);
    return { from: edit.from, to: edit.from + edit.insert.length, insert: removed };
  }

  get text(): string {
    return this.original.text;
  }
}

describe('the line breaks of a text in the editor', () => {
  it('the line breaks of a text in the editor are those of the original where nothing was changed, whatever the mixture and the edits', () => {
    fc.assert(
      fc.property(text, edits, (original, changes) => {
        const editor = new Editor(original);
        // The breaks as the editor has them: those of the original, or undefined for new ones.
        let expected: (string | undefined)[] = breaksOf(original);
        for (const { at, removed, insert } of changes) {
          const { plain } = editor;
          const from = Math.min(at, plain.length);
          const to = Math.min(from + removed, plain.length);
          const before = breaksOf(plain.slice(0, from)).length;
          const gone = breaksOf(plain.slice(from, to)).length;
          const fresh = breaksOf(insert).map(() => undefined);
          expected = [...expected.slice(0, before), ...fresh, ...expected.slice(before + gone)];
          editor.change({ from, to, insert });
          // The text is the original again.
          if (editor.plain === withPlainLineBreaks(original)) expected = breaksOf(original);
        }
        const stored = editor.text;
        expect(withPlainLineBreaks(stored)).toBe(editor.plain);
        const found = breaksOf(stored);
        expect(found).toHaveLength(expected.length);
        expected.forEach((kind, index) => {
          // Two breaks that have come together must not become one: `\r` and `\n` with nothing between them.
          const isForced = kind === '\r' && stored.startsWith('\n', endOf(stored, index));
          if (kind !== undefined && !isForced) expect(found[index]).toBe(kind);
        });
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });

  it('the line breaks of a text in the editor stay with their lines when lines are edited, joined and removed, even if the edits are not known', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
        const name = (index: number) => `line${String(index)}`;
        const original = lines.map(({ kind }, index) => `${name(index)}${kind}`).join('');
        const editor = new Editor(original, false);
        const expected = new Map(lines.map(({ kind }, index) => [name(index), kind]));
        lines.forEach(({ change }, index) => {
          const from = editor.plain.indexOf(`${name(index)}\n`);
          const to = from + name(index).length;
          if (change === 'type') editor.change({ from: to, to, insert: 'x' });
          if (change === 'split') editor.change({ from, to: from, insert: 'a\n' });
          if (change === 'remove') editor.change({ from, to: to + 1, insert: '' });
          if (change === 'join') editor.change({ from: to, to: to + 1, insert: '' });
        });
        for (const [, end = '', kind] of editor.text.matchAll(/(line\d+)x?(\r\n|\r|\n)/g)) {
          expect(kind).toBe(expected.get(end));
        }
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('the line breaks of a text in the editor are the same bytes after edits and their undo', () => {
    fc.assert(
      fc.property(text, edits, fc.boolean(), (original, changes, isExact) => {
        const editor = new Editor(original, isExact);
        const undo: { from: number; to: number; insert: string }[] = [];
        for (const { at, removed, insert } of changes.slice(0, 5)) {
          const from = Math.min(at, editor.plain.length);
          const to = Math.min(from + removed, editor.plain.length);
          undo.push(editor.change({ from, to, insert }));
        }
        for (const change of undo.reverse()) editor.change(change);
        expect(editor.text).toBe(original);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it.each([
    ['\r\n', 'a\r\nb\r\nc\n'],
    ['\r', 'a\rb\rc\n'],
    ['\n', 'a\nb\nc\r\n'],
    ['\n', 'a'],
  ])(
    'the line breaks of a text in the editor are %j where a new one is typed into %j',
    (kind, original) => {
      const editor = new Editor(original);
      editor.change({ from: 1, to: 1, insert: '\nnew' });
      expect(editor.text).toBe(`a${kind}new${original.slice(1)}`);
    },
  );

  it('the line breaks of a text in the editor count once in the editor', () => {
    expect(editorPosition('a\r\nb\r\nc', 6)).toBe(4);
    expect(editorPosition('a\nb', 2)).toBe(2);
  });
});
