import fc from 'fast-check';
import {
  textChanges,
  mergeTexts,
  type Texts,
} from '../../packages/dashboard/src/pages/documents/editor/merge.js';

const text = (content: string, title = 'Plan'): Texts => ({ title, content });

describe('a merge of two texts', () => {
  it('combines changes of both sides in different places', () => {
    const { texts, overlaps } = mergeTexts(
      text('one\n\ntwo\n\nthree'),
      text('ONE\n\ntwo\n\nthree'),
      text('one\n\ntwo\n\nthree\n\nfour'),
    );
    expect(texts.content).toBe('ONE\n\ntwo\n\nthree\n\nfour');
    expect(overlaps).toEqual([]);
  });

  it.each([
    ['both' as const, 'one\nmine\ntheirs\nthree'],
    ['yours' as const, 'one\nmine\nthree'],
    ['theirs' as const, 'one\ntheirs\nthree'],
  ])('reports the lines that both sides changed, and uses %s of them', (prefer, content) => {
    const merge = mergeTexts(
      text('one\ntwo\nthree'),
      text('one\nmine\nthree'),
      text('one\ntheirs\nthree'),
      prefer,
    );
    expect(merge.texts.content).toBe(content);
    expect(merge.overlaps).toEqual([{ yours: { from: 1, to: 2 }, theirs: { from: 1, to: 2 } }]);
  });

  it('uses the title that one side changed, and reports when both did', () => {
    const base = text('x', 'Plan');
    expect(mergeTexts(base, base, text('x', 'Theirs')).texts.title).toBe('Theirs');
    expect(mergeTexts(base, text('x', 'Mine'), base).texts.title).toBe('Mine');
    const merge = mergeTexts(base, text('x', 'Mine'), text('x', 'Theirs'));
    expect(merge).toMatchObject({ titleOverlaps: true, texts: { title: 'Mine' } });
  });

  it('applies the same change of both sides once', () => {
    const merge = mergeTexts(text('a\nb'), text('a\nB'), text('a\nB'));
    expect(merge).toMatchObject({ overlaps: [], texts: { content: 'a\nB' } });
  });

  it('combines words that both sides changed in one line, if it merges by words', () => {
    const merge = mergeTexts(
      text('This sentense ends.'),
      text('This sentense ends here.'),
      text('This sentence ends.'),
      'yours',
      { byWords: true },
    );
    expect(merge).toMatchObject({ overlaps: [], texts: { content: 'This sentence ends here.' } });
    const same = mergeTexts(text('a teh b'), text('a tehx b'), text('a the b'), 'yours', {
      byWords: true,
    });
    expect(same.texts.content).toBe('a tehx b');
    expect(same.overlaps).toHaveLength(1);
  });

  it('merges long texts of equal lines quickly, whatever both sides changed', () => {
    const many = 'same\n'.repeat(20_000);
    const merge = mergeTexts(text(many), text(`${many}mine`), text(`theirs\n${many}`));
    expect(merge.overlaps).toEqual([]);
    expect(merge.texts.content).toBe(`theirs\n${many}mine`);
    const both = mergeTexts(text(many), text(`mine\n${many}mine`), text(`theirs\n${many}theirs`));
    expect(both.overlaps).toHaveLength(1);
    expect(textChanges(many, `a\n${many}b`)).toHaveLength(1);
  });
});

const lines = fc
  .array(fc.constantFrom('a', 'b c', 'b', 'c d b', ''), { maxLength: 12 })
  .map((all) => all.join('\n'));

describe('the changes of a text', () => {
  it('turn one text into the other', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const changes = textChanges(before, after);
        const changed = changes.reduceRight(
          (result, { from, to, insert }) => result.slice(0, from) + insert + result.slice(to),
          before,
        );
        expect(changed).toBe(after);
      }),
    );
  });

  it('do not touch the unchanged words of a line', () => {
    expect(textChanges('one\nThis sentense ends', 'one\nThis sentence ends')).toEqual([
      { from: 9, to: 17, insert: 'sentence' },
    ]);
  });

  it('do not touch unchanged lines', () => {
    expect(textChanges('one\ntwo\nthree', 'zero\none\ntwo\nTHREE')).toEqual([
      { from: 0, to: 0, insert: 'zero\n' },
      { from: 8, to: 13, insert: 'THREE' },
    ]);
  });
});
