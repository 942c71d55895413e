import { ChangeSet, Text } from '@codemirror/state';
import fc from 'fast-check';
import {
  editorPosition,
  OriginalText,
  withPlainLineBreaks,
} from '../../packages/dashboard/src/pages/documents/editor/line-breaks.js';
import { propertyRuns } from '../support/property-runs.js';

/** An editor that has the text, as far as its line breaks go. */
class Editor {
  doc: Text;
  private changes: ChangeSet;
  private readonly original: OriginalText;

  constructor(text: string) {
    this.original = new OriginalText(text);
    this.doc = Text.of(withPlainLineBreaks(text).split('\n'));
    this.changes = ChangeSet.empty(this.doc.length);
  }

  /** Returns the change that undoes this one. */
  change(change: { from: number; to: number; insert: string }): ChangeSet {
    const made = ChangeSet.of([change], this.doc.length, '\n');
    const inverted = made.invert(this.doc);
    this.apply(made);
    return inverted;
  }

  apply(change: ChangeSet): void {
    this.doc = change.apply(this.doc);
    this.changes = this.changes.compose(change);
  }

  get text(): string {
    return this.original.after(this.changes, this.doc);
  }
}

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

/** Where a line break of a text ends. */
const endOf = (of: string, index: number) => {
  const found = [...of.matchAll(/\r\n|\r|\n/g)][index];
  return (found?.index ?? 0) + (found?.[0].length ?? 0);
};
const breaksOf = (of: string) => [...of.matchAll(/\r\n|\r|\n/g)].map(([found]) => found);

describe('the line breaks of a text in the editor', () => {
  it('the line breaks of a text in the editor are those of the original where nothing was changed, whatever the mixture and the edits', () => {
    fc.assert(
      fc.property(text, edits, (original, changes) => {
        const editor = new Editor(original);
        // The breaks as the editor has them: those of the original, or undefined for new ones.
        let expected: (string | undefined)[] = breaksOf(original);
        for (const { at, removed, insert } of changes) {
          const from = Math.min(at, editor.doc.length);
          const to = Math.min(from + removed, editor.doc.length);
          const before = editor.doc.lineAt(from).number - 1;
          const gone = editor.doc.lineAt(to).number - 1 - before;
          const fresh = breaksOf(insert).map(() => undefined);
          expected = [...expected.slice(0, before), ...fresh, ...expected.slice(before + gone)];
          editor.change({ from, to, insert });
        }
        const stored = editor.text;
        expect(withPlainLineBreaks(stored)).toBe(editor.doc.toString());
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

  it('the line breaks of a text in the editor are the same bytes after edits and their undo', () => {
    fc.assert(
      fc.property(text, edits, (original, changes) => {
        const editor = new Editor(original);
        const undo: ChangeSet[] = [];
        for (const { at, removed, insert } of changes.slice(0, 5)) {
          const from = Math.min(at, editor.doc.length);
          undo.push(
            editor.change({ from, to: Math.min(from + removed, editor.doc.length), insert }),
          );
        }
        for (const change of undo.reverse()) editor.apply(change);
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
