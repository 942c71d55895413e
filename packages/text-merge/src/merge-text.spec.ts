import fc from 'fast-check';
import { mergeText } from './merge-text.js';
import { applyEdits } from './text-edits.js';

describe('mergeText', () => {
  it('combines edits in different lines', () => {
    expect(mergeText('one\n\ntwo', 'ONE\n\ntwo', 'one\n\ntwo\n\nthree')).toMatchObject({
      text: 'ONE\n\ntwo\n\nthree',
      overlaps: [],
    });
  });

  it('combines edits of different words of one line', () => {
    const merge = mergeText(
      'The quick fox jumps over the dog.',
      'The slow fox jumps over the dog.',
      'The quick fox jumps over the lazy cat.',
    );
    expect(merge).toMatchObject({ text: 'The slow fox jumps over the lazy cat.', overlaps: [] });
  });

  it.each([
    ['yours' as const, 'A slow fox.'],
    ['theirs' as const, 'A lazy fox.'],
  ])('reports words that both sides changed, and takes %s', (prefer, text) => {
    const merge = mergeText('A quick fox.', 'A slow fox.', 'A lazy fox.', { prefer });
    expect(merge.text).toBe(text);
    expect(merge.overlaps).toEqual([
      {
        merged: { from: 2, to: 6 },
        inTheirs: { from: 2, to: 6 },
        yours: 'slow',
        theirs: 'lazy',
        held: [],
        isNew: true,
      },
    ]);
  });

  it('reports two insertions at the same place, whose order nobody knows', () => {
    expect(mergeText('one\n', 'one\nmine\n', 'one\ntheirs\n').overlaps).toMatchObject([
      { yours: 'mine\n', theirs: 'theirs\n' },
    ]);
  });

  it('reports a passage that one side deleted and the other changed', () => {
    const merge = mergeText('one\ntwo words\nthree', 'one\nthree', 'one\ntwo short words\nthree');
    expect(merge.text).toBe('one\nthree');
    expect(merge.overlaps).toMatchObject([{ yours: '', theirs: 'two short words\n' }]);
  });

  it('takes the same edit of both sides once', () => {
    expect(mergeText('a\nb\nc', 'a\nB\nc', 'a\nB\nc!')).toMatchObject({
      text: 'a\nB\nc!',
      overlaps: [],
    });
  });

  it('merges nearly all pairs of one-word edits of a paragraph', () => {
    const words = Array.from({ length: 120 }, (_, index) => `word${String(index)}`);
    const withWord = (at: number, word: string) => words.with(at, word).join(' ');
    let overlaps = 0;
    for (let index = 0; index < 500; index += 1) {
      const [mine, other] = [(index * 7) % 120, (index * 13 + 5) % 120];
      const merge = mergeText(words.join(' '), withWord(mine, 'mine'), withWord(other, 'other'));
      overlaps += merge.overlaps.length;
      if (mine !== other) expect(merge.text).toMatch(/mine.*other|other.*mine/);
    }
    expect(overlaps).toBeLessThan(10);
  });

  it('treats two long rewrites as one passage instead of comparing them for seconds', () => {
    const text = (word: string) =>
      Array.from({ length: 40_000 }, (_, index) => `${word}${String(index)}`).join('\n');
    const merge = mergeText(text('a'), text('b'), text('c'));
    expect(merge.text).toBe(text('b'));
    expect(merge.overlaps).toHaveLength(1);
  });
});

const content = fc
  .array(fc.constantFrom('a', 'b c', 'b. c', 'c d b', '', '日本 語'), { maxLength: 10 })
  .map((lines) => lines.join('\n'));

describe('every merge', () => {
  it('holds each edit once: yours, theirs, or both sides of an overlap', () => {
    fc.assert(
      fc.property(content, content, content, (base, yours, theirs) => {
        const mine = mergeText(base, yours, theirs);
        const other = mergeText(base, yours, theirs, { prefer: 'theirs' });
        expect(applyEdits(yours, mine.edits)).toBe(mine.text);
        expect(applyEdits(yours, other.edits)).toBe(other.text);
        expect(mine.overlaps.map(({ yours, theirs }) => [yours, theirs])).toEqual(
          other.overlaps.map(({ yours, theirs }) => [yours, theirs]),
        );
        for (const { merged, inTheirs, yours: left, theirs: right } of mine.overlaps) {
          expect(mine.text.slice(merged.from, merged.to)).toBe(left);
          expect(theirs.slice(inTheirs.from, inTheirs.to)).toBe(right);
        }
        // The two merges differ in the overlaps only.
        const swapped = mine.overlaps.map(({ merged, theirs }) => ({ ...merged, insert: theirs }));
        expect(applyEdits(mine.text, swapped)).toBe(other.text);
      }),
    );
  });

  it('holds passages back for as long as they are held, and nothing else', () => {
    fc.assert(
      fc.property(content, content, content, content, (base, yours, theirs, newest) => {
        const first = mergeText(base, yours, theirs);
        const held = first.overlaps.map(({ inTheirs, merged }) => ({
          base: inTheirs,
          yours: merged,
        }));
        // What is saved: their words in the overlaps, and yours elsewhere.
        const saved = mergeText(theirs, first.text, theirs, { held, prefer: 'theirs' });
        expect(saved.text).toBe(mergeText(base, yours, theirs, { prefer: 'theirs' }).text);
        // The next version comes in, made of the saved one.
        const again = saved.overlaps.map(({ merged }, index) => ({
          base: merged,
          yours: held[index]?.yours ?? merged,
        }));
        const second = mergeText(saved.text, first.text, newest, { held: again });
        const indexes = second.overlaps.flatMap((overlap) => overlap.held);
        expect(indexes).toEqual(held.map((_, index) => index));
        for (const { merged, inTheirs, yours: left, theirs: right } of second.overlaps) {
          expect(second.text.slice(merged.from, merged.to)).toBe(left);
          expect(newest.slice(inTheirs.from, inTheirs.to)).toBe(right);
        }
        // With all overlaps decided for them, their version is left.
        const decided = second.overlaps.map(({ merged, theirs: right }) => ({
          ...merged,
          insert: right,
        }));
        expect(applyEdits(second.text, decided)).toBe(newest);
      }),
    );
  });

  it('does not part the two characters of a line break', () => {
    const merge = mergeText('One\r\nTwo\nThree', 'One\r\nMine\nThree', 'One\r\nTheirs\r\nThree');
    expect(merge.overlaps).toMatchObject([{ yours: 'Mine\n', theirs: 'Theirs\r\n' }]);
  });

  it('is the other side if one side changed nothing', () => {
    fc.assert(
      fc.property(content, content, (base, changed) => {
        expect(mergeText(base, changed, base).text).toBe(changed);
        expect(mergeText(base, base, changed).text).toBe(changed);
      }),
    );
  });
});
