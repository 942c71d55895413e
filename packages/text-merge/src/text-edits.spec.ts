import fc from 'fast-check';
import { applyEdits, mapPosition, textEdits } from './text-edits.js';

describe('textEdits', () => {
  it('leaves the unchanged words of a line alone', () => {
    expect(textEdits('one\nThis sentense ends', 'one\nThis sentence ends')).toEqual([
      { from: 9, to: 17, insert: 'sentence' },
    ]);
  });

  it('leaves unchanged lines alone', () => {
    expect(textEdits('one\ntwo\nthree', 'zero\none\ntwo\nTHREE')).toEqual([
      { from: 0, to: 0, insert: 'zero\n' },
      { from: 8, to: 13, insert: 'THREE' },
    ]);
  });

  it('makes one edit of a phrase that was rewritten', () => {
    expect(textEdits('A quick, brown fox', 'A slow, red fox')).toEqual([
      { from: 2, to: 14, insert: 'slow, red' },
    ]);
  });

  it('compares texts of many equal lines', () => {
    const many = 'same\n'.repeat(20_000);
    expect(textEdits(many, `a\n${many}b`)).toHaveLength(2);
  });

  const content = fc
    .array(fc.constantFrom('a', 'b c', 'b. c', 'c d b', '', '日本 語'), { maxLength: 12 })
    .map((lines) => lines.join('\n'));

  it('turns one text into the other', () => {
    fc.assert(
      fc.property(content, content, (before, after) => {
        const edits = textEdits(before, after);
        expect(applyEdits(before, edits)).toBe(after);
        edits.slice(1).forEach(({ from }, index) => {
          expect(from).toBeGreaterThan(edits[index]?.to ?? 0);
        });
      }),
    );
  });
});

describe('mapPosition', () => {
  const edits = [
    { from: 2, to: 4, insert: 'abc' },
    { from: 6, to: 6, insert: 'x' },
  ];

  it.each([
    [1, -1 as const, 1],
    [2, -1 as const, 2],
    [2, 1 as const, 5],
    [3, -1 as const, 2],
    [3, 1 as const, 5],
    [4, -1 as const, 2],
    [4, 1 as const, 5],
    [5, -1 as const, 6],
    [6, -1 as const, 7],
    [6, 1 as const, 8],
    [7, 1 as const, 9],
  ])('moves %s on side %s to %s', (position, side, expected) => {
    expect(mapPosition(position, edits, side)).toBe(expected);
  });
});
