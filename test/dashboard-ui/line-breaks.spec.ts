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
const edit = fc.record({
  at: fc.nat(200),
  removed: fc.nat(6),
  insert: fc.constantFrom('', 'x', '\n', 'a\nb'),
});
/** A line break, and what somebody does to the line before it. */
const line = fc.record({
  kind: fc.constantFrom(...LINE_BREAKS),
  change: fc.constantFrom('none', 'none', 'type', 'split', 'remove'),
});

const breaksOf = (of: string) => [...of.matchAll(/\r\n|\r|\n/g)].map(([found]) => found);

describe('the line breaks of a text in the editor', () => {
  it('the line breaks of a text in the editor are those of the original before and after an edit, whatever the mixture', () => {
    fc.assert(
      fc.property(text, edit, (original, { at, removed, insert }) => {
        const plain = withPlainLineBreaks(original);
        const from = Math.min(at, plain.length);
        const to = Math.min(from + removed, plain.length);
        const edited = plain.slice(0, from) + insert + plain.slice(to);
        const stored = new OriginalText(original).after(edited);
        expect(withPlainLineBreaks(stored)).toBe(edited);
        const found = breaksOf(stored);
        const expected = breaksOf(original);
        const before = breaksOf(plain.slice(0, from)).length;
        const after = breaksOf(plain.slice(to)).length;
        // Two breaks that have come together must not become one: `\r` and `\n` with nothing between them.
        const isSame = (kind: string | undefined, other: string | undefined) =>
          kind === other || (kind === '\n' && other === '\r');
        // A removed or new break beside equal ones may be any of them.
        const [first, last] = [
          found.findIndex((kind, index) => !isSame(kind, expected[index])),
          found.findLastIndex(
            (kind, index) => !isSame(kind, expected[expected.length - (found.length - index)]),
          ),
        ];
        const near = /^\n*/.exec(plain.slice(to))?.[0].length ?? 0;
        const nearBefore = /\n*$/.exec(plain.slice(0, from))?.[0].length ?? 0;
        if (first !== -1) expect(first).toBeGreaterThanOrEqual(before - nearBefore);
        if (last !== -1) expect(found.length - 1 - last).toBeGreaterThanOrEqual(after - near);
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });

  it('the line breaks of a text in the editor stay with their lines when several lines are edited', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
        const usual = new OriginalText(
          lines.map(({ kind }, index) => `line${String(index)}${kind}`).join(''),
        );
        const counts = LINE_BREAKS.map((kind) => lines.filter((one) => one.kind === kind).length);
        const [lf = 0, crlf = 0, cr = 0] = counts;
        const fresh = crlf > lf && crlf >= cr ? '\r\n' : cr > lf ? '\r' : '\n';
        let edited = '';
        const expected: string[] = [];
        lines.forEach(({ kind, change: chosen }, index) => {
          // An unchanged line between two changed ones says which break is whose.
          const change = index % 2 === 0 ? chosen : 'none';
          const name = `line${String(index)}`;
          if (change === 'remove') return;
          if (change === 'split') expected.push(fresh);
          edited += `${name}${change === 'none' ? '' : change === 'type' ? 'x' : 'a\nb'}\n`;
          expected.push(kind);
        });
        expect(breaksOf(usual.after(edited))).toEqual(expected);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('the line breaks of a text in the editor are the same bytes after edits and their undo', () => {
    fc.assert(
      fc.property(text, (original) => {
        const breaks = new OriginalText(original);
        expect(breaks.after(withPlainLineBreaks(original))).toBe(original);
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
      const edited = `a\nnew${withPlainLineBreaks(original).slice(1)}`;
      expect(new OriginalText(original).after(edited)).toBe(`a${kind}new${original.slice(1)}`);
    },
  );

  it('the line breaks of a text in the editor count once in the editor', () => {
    expect(editorPosition('a\r\nb\r\nc', 6)).toBe(4);
    expect(editorPosition('a\nb', 2)).toBe(2);
  });
});
