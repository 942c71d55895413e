import fc from 'fast-check';
import { placeEdits, type ModelEdit, type ShownParagraph } from './place-edits.js';

const paragraph = (text: string, masked: ShownParagraph['masked'] = [], start = 0) => ({
  ...{ text, masked, start },
  end: start + text.length,
});
const edit = (find: string, replace: string, more: Partial<ModelEdit> = {}): ModelEdit => ({
  ...{ paragraph: 1, find, before: '', replace, reason: '' },
  ...more,
});

function outcome(text: string, edits: ModelEdit[], masked: ShownParagraph['masked'] = []) {
  const { placed, dropped } = placeEdits(edits, [paragraph(text, masked)], ['custom']);
  return { placed: placed.map(({ original, replacement }) => [original, replacement]), dropped };
}

describe('placing an edit', () => {
  it('drops unchanged words at its ends', () => {
    expect(outcome('He have a cat.', [edit('He have a cat.', 'He has a cat.')]).placed).toEqual([
      ['have', 'has'],
    ]);
    expect(outcome('I saw cat.', [edit('saw cat', 'saw a cat')]).placed).toEqual([
      ['cat', 'a cat'],
    ]);
  });

  it('excludes protected text between words that change', () => {
    const text = 'Utilize `npm` often.';
    const masked = [{ start: 8, end: 13 }];
    expect(outcome(text, [edit('Utilize `npm`', 'Use `npm`')], masked).placed).toEqual([
      ['Utilize', 'Use'],
    ]);
    expect(outcome(text, [edit('Utilize `npm` often', 'Use `npm` a lot')], masked).dropped).toEqual(
      {
        protected: 1,
      },
    );
  });

  it.each<[string, string, string, string]>([
    ['a mark that belongs to the letter before', 'cafe\u0301 noir', 'cafe', 'bar'],
    ['half of an emoji of several characters', 'a \u{1f468}\u200d\u{1f469} b', '\u{1f468}', 'x'],
    ['half of a line break', 'one\r\ntwo', 'one\r', 'two\n'],
  ])('never splits %s', (_, text, find, replace) => {
    expect(outcome(text, [edit(find, replace)]).placed).toEqual([]);
  });

  it.each([
    ['a lone surrogate', 'x\ud83d'],
    ['a control character', 'x\u0000'],
    ['a change of direction', 'x\u202ey'],
  ])('refuses %s', (_, replace) => {
    expect(outcome('word', [edit('word', replace)]).dropped).toEqual({ invalid: 1 });
  });

  it.each(['# Title', '> quote', '- item', '1. item', '| cell'])(
    'refuses a structural change at the start of a paragraph: %s',
    (replace) => {
      expect(outcome('word', [edit('word', replace)]).dropped).toEqual({ 'new-markup': 1 });
    },
  );

  it('searches all paragraphs if the number is invalid, and accepts a passage that occurs once', () => {
    const both = [paragraph('one two', [], 0), paragraph('two three', [], 20)];
    const placed = (find: string) =>
      placeEdits([edit(find, 'x', { paragraph: 0 })], both, ['custom']);
    expect(placed('three').placed).toMatchObject([{ start: 24, end: 29 }]);
    expect(placed('two').dropped).toEqual({ ambiguous: 1 });
  });

  it('keeps the category of a correction', () => {
    const text = 'Everything that stands here was written with care by somebody.';
    const { dropped } = placeEdits([edit(text, 'Gone.')], [paragraph(text)], ['correct']);
    expect(dropped).toEqual({ 'too-short': 1 });
  });

  it('yields exact passages that overlap neither each other nor a mask, whatever a model responds', () => {
    const word = fc.constantFrom('a', 'bb', ' ', 'é', '🎉', '`c`', '\r\n', 'e\u0301', '.', '{{v}}');
    const words = (min: number) =>
      fc.array(word, { minLength: min, maxLength: 6 }).map((all) => all.join(''));
    const anyEdit = fc.record({
      paragraph: fc.integer({ min: -1, max: 3 }),
      find: words(1),
      before: words(0),
      replace: words(0),
      reason: fc.string(),
    });
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 40 }),
        fc.array(anyEdit, { maxLength: 8 }),
        (all, edits) => {
          const text = all.join('');
          const masked = [...text.matchAll(/`c`|\{\{v\}\}/g)].map(({ index, 0: found }) => ({
            ...{ start: index, end: index + found.length },
          }));
          const { placed, dropped } = placeEdits(edits, [paragraph(text, masked, 7)], ['custom']);
          const counted = Object.values(dropped).reduce((sum, count) => sum + count, 0);
          expect(placed.length + counted).toBe(edits.length);
          let last = 0;
          for (const { start, end, original, replacement } of placed) {
            expect(text.slice(start - 7, end - 7)).toBe(original);
            expect(original).not.toBe(replacement);
            expect(start).toBeGreaterThanOrEqual(last);
            expect(masked.some((mask) => mask.start < end - 7 && start - 7 < mask.end)).toBe(false);
            last = end;
          }
        },
      ),
    );
  });
});
