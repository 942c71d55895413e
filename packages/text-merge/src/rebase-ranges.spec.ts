import fc from 'fast-check';
import { rebaseRanges, type TextRange } from './rebase-ranges.js';
import { propertyRuns } from '../../../test/support/property-runs.js';

const MIB = 1024 * 1024;

const sentence = fc.constantFrom(
  'teh cat sat.',
  'Teh dog ran!',
  'a 🙂 teh b?',
  'é́ teh',
  'teh',
  '永和九年。',
  'شكرا teh.',
  '- item teh',
  '|a|b|',
  '...',
  '',
);
const joint = fc.constantFrom(' ', '\n', '\r\n', '\n\n', '  ', '');
const text = fc
  .array(fc.tuple(sentence, joint), { maxLength: 14 })
  .map((parts) => parts.flat().join(''));
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const spans = fc.array(fc.tuple(fraction, fraction), { maxLength: 6 });

function rangesIn(content: string, pairs: readonly (readonly [number, number])[]): TextRange[] {
  return pairs.map((pair) => {
    const [start, end] = pair
      .map((part) => Math.floor(part * content.length))
      .sort((one, other) => one - other);
    return { start: start ?? 0, end: end ?? 0 };
  });
}

const numbered = (count: number, textOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => textOf(index)).join('');

/** Returns the remaining words of a passage, which makes tests readable. */
const moved = (before: string, after: string, passage: string) => {
  const start = before.indexOf(passage);
  const [range] = rebaseRanges(before, after, [{ start, end: start + passage.length }]);
  return (
    range &&
    `${after.slice(0, range.start)}[${after.slice(range.start, range.end)}]${after.slice(range.end)}`
  );
};

describe('a passage in a changed text', () => {
  it('is found unchanged, or not at all, in any texts', () => {
    fc.assert(
      fc.property(text, text, spans, (before, after, pairs) => {
        const ranges = rangesIn(before, pairs);
        for (const [index, range] of rebaseRanges(before, after, ranges).entries()) {
          const { start, end } = ranges[index] ?? { start: 0, end: 0 };
          if (range) expect(after.slice(range.start, range.end)).toBe(before.slice(start, end));
        }
      }),
      { numRuns: propertyRuns(1_500) },
    );
  });

  it('is found in the right place when words are added and parts are removed around it', () => {
    const edits = fc.array(
      fc.record({
        at: fraction,
        removed: fc.nat(12),
        added: fc.constantFrom('', '7', '77 ', '7.\n', ' 7! '),
      }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(text, edits, spans, (before, made, pairs) => {
        // Each unit of the text records where it came from.
        let units = Array.from({ length: before.length }, (_, index) => ({ index, text: before.charAt(index) }));
        for (const { at, removed, added } of made) {
          const place = Math.floor(at * units.length);
          const fresh = Array.from(added, (character) => ({ index: -1, text: character }));
          units = [...units.slice(0, place), ...fresh, ...units.slice(place + removed)];
        }
        const after = units.map((unit) => unit.text).join('');
        const ranges = rangesIn(before, pairs).filter(({ start, end }) => end > start);
        const found = rebaseRanges(before, after, ranges);
        for (const [index, range] of found.entries()) {
          const { start, end } = ranges[index] ?? { start: 0, end: 0 };
          const origins = range ? units.slice(range.start, range.end).map((unit) => unit.index) : [];
          const survives = Array.from({ length: end - start }, (_, unit) => start + unit).every((unit) => units.some((one) => one.index === unit));
          // If several equal sentences were changed into each other, nobody can tell which was which.
          if (range && survives && isUnique(before, after, before.slice(start, end))) {
            expect(origins).toEqual(Array.from({ length: end - start }, (_, unit) => start + unit));
          }
        }
      }),
      { numRuns: propertyRuns(1_500) },
    ); // prettier-ignore
  });

  it('stays in place when nothing changes', () => {
    fc.assert(
      fc.property(text, spans, (content, pairs) => {
        const ranges = rangesIn(content, pairs);
        expect(rebaseRanges(content, content, ranges)).toEqual(ranges);
      }),
    );
  });

  it.each([
    ['its line moves', 'one\nteh two\n', 'zero\none\nteh two\n', 'zero\none\n[teh] two\n'],
    ['its line is moved to another place', 'teh two\nthree\nfour\n', 'three\nfour\nteh two\n', 'three\nfour\n[teh] two\n'],
    ['another sentence of its line changes', 'One. It is teh two. Three.', 'Uno. It is teh two. Three!', 'Uno. It is [teh] two. Three!'],
    ['line breaks become those of Windows', 'one\nteh two\nthree\n', 'one\r\nteh two\r\nthree\r\n', 'one\r\n[teh] two\r\nthree\r\n'],
    ['its own sentence changes, but not its neighbors', 'We saw that it is teh two. Three.', 'Now we saw that it is teh two! Three.', 'Now we saw that it is [teh] two! Three.'],
    ['its own line gets a new start', 'Teh two, it is teh one', '- Teh two, it is teh one', '- Teh two, it is [teh] one'],
    ['other lines are equal to its own', 'teh\nx\nteh\n', 'teh\ny\nteh\n', '[teh]\ny\nteh\n'],
  ])('is found when %s', (_, before, after, expected) => {
    expect(moved(before, after, 'teh')).toBe(expected);
  }); // prettier-ignore

  it.each([
    ['its own sentence changes', 'It is teh two. Three.', 'It was teh two. Three.'],
    ['its sentence is doubled', 'It is teh two.', 'It is teh two. It is teh two.'],
    ['it stands in a longer word only', 'teh', 'tehran'],
    ['it is gone', 'teh two\nthree', 'three'],
    ['one of several equal lines is gone', 'teh\nx\nteh\n', 'x\nteh\n'],
  ])('is not found when %s', (_, before, after) => {
    expect(moved(before, after, 'teh')).toBeNull();
  });

  it.each([
    ['nothing in common', numbered(40_000, (n) => `from ${String(n * 7)}\n`), numbered(40_000, (n) => `to ${String(n * 13)}\n`)],
    ['only lines', '\n'.repeat(MIB), 'a\n\n'.repeat(MIB / 3)],
    ['one line', 'Teh ab. '.repeat(MIB / 8), 'Teh ba. '.repeat(MIB / 8)],
    ['one sentence', 'ab '.repeat(MIB / 3), 'ba  '.repeat(MIB / 4)],
    ['dots', '.'.repeat(MIB), `${'.'.repeat(MIB - 1)}x`],
    ['short sentences', 'a. '.repeat(MIB / 3), 'a. b. '.repeat(MIB / 6)],
    ['lines alike', 'one line\n'.repeat(110_000), 'one lime\none line\n'.repeat(55_000)],
  ])('takes limited time in 1 MiB of %s', (_, before, after) => {
    const ranges = Array.from({ length: 2_000 }, (_value, n) => ({ start: n * 500, end: n * 500 + 3 }));
    const started = process.cpuUsage();
    const found = rebaseRanges(before, after, ranges);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(8_000);
    for (const [index, range] of found.entries()) {
      const { start, end } = ranges[index] ?? { start: 0, end: 0 };
      if (range) expect(after.slice(range.start, range.end)).toBe(before.slice(start, end));
    }
  }); // prettier-ignore
});

/** Words that repeat, as in any text. */
const WORDS =
  'the a of in to and is we it that for on with they teh results were better when report was cat dog new each first'.split(
    ' ',
  );

/** Returns a text of 30 sentences of 5 to 16 words, a paragraph for each five. */
const prose = fc
  .array(
    fc.array(
      fc.oneof(
        fc.constantFrom(...WORDS),
        fc.nat(400).map((n) => `w${String(n)}`),
      ),
      { minLength: 5, maxLength: 16 },
    ),
    {
      minLength: 30,
      maxLength: 30,
    },
  )
  .map((sentences) =>
    sentences.map((words, n) => `${words.join(' ')}.${n % 5 === 4 ? '\n\n' : ' '}`).join(''),
  );

interface Word {
  start: number;
  end: number;
  text: string;
}

const wordsOf = (content: string): Word[] =>
  Array.from(content.matchAll(/[a-z0-9]+/g), ({ 0: text, index }) => ({
    ...{ start: index, end: index + text.length, text },
  }));

const MADE = fc.array(
  fc.record({
    distance: fc.integer({ min: -7, max: 7 }),
    kind: fc.constantFrom('replace', 'insert', 'remove'),
    word: fc.constantFrom(...WORDS),
  }),
  { minLength: 1, maxLength: 8 },
);

describe('a word beside up to 8 edits of its sentence and the next', () => {
  it('is never confused with another word, and is found in most texts', () => {
    const count = { untouched: 0, found: 0 };
    fc.assert(
      fc.property(prose, fraction, MADE, (before, place, edits) => {
        const words = wordsOf(before);
        const chosen = Math.floor(place * (words.length - 1));
        const made = new Map(edits.map((edit) => [chosen + edit.distance, edit]));
        const target = words[chosen];
        if (!target || made.has(chosen)) return;
        let after = '';
        let at = 0;
        let expected = 0;
        for (const [index, { start, end, text }] of words.entries()) {
          const { kind, word } = made.get(index) ?? { kind: 'keep', word: '' };
          after += before.slice(at, start);
          if (kind === 'insert') after += `${word} `;
          if (index === chosen) expected = after.length;
          if (kind !== 'remove') after += kind === 'replace' ? word : text;
          at = end;
        }
        after += before.slice(at);
        const [range] = rebaseRanges(before, after, [{ start: target.start, end: target.end }]);
        count.untouched += 1;
        if (!range) return;
        count.found += 1;
        // Equal neighbors, such as in "the the", cannot be told apart.
        const isAmbiguous = [chosen - 1, chosen + 1].some((n) => words[n]?.text === target.text);
        if (!isAmbiguous) expect(range).toEqual({ start: expected, end: expected + target.text.length });
      }),
      { numRuns: propertyRuns(3_000) },
    ); // prettier-ignore
    expect(count.found / count.untouched).toBeGreaterThan(0.3);
  });
});

/** Returns true if a passage occurs exactly once in both texts. */
function isUnique(before: string, after: string, passage: string): boolean {
  return [before, after].every(
    (content) => content.indexOf(passage) === content.lastIndexOf(passage),
  );
}
