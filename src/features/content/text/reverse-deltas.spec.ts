import { propertyRuns } from '../../../../test/support/property-runs.js';
import fc from 'fast-check';
import { applyDeltas, changedUnits, storeContent, makeDelta } from './reverse-deltas.js';

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', 'b', '\n', '👍', '👎', '𐑍', '𠮷', '\r\n', '"', 'é'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 60,
});
/** Text that is long enough for a search of common stretches. Some parts are changed, moved or doubled. */
const parts = fc.array(anyText, { maxLength: 12 });
const changed = parts.chain((original) =>
  fc.tuple(
    fc.constant(original.join('')),
    fc
      .array(fc.oneof(fc.constantFrom(...original, ''), anyText), { maxLength: 12 })
      .map((texts) => texts.join('')),
  ),
);
const edited = fc
  .tuple(fc.array(anyText, { minLength: 4, maxLength: 20 }), fc.array(fc.nat(19)), anyText)
  .map(([texts, places, text]) => [
    texts.join(''),
    texts.map((part, place) => (places.includes(place) ? text : part)).join(''),
  ]);
const pair = fc.oneof(changed, edited);

/** Returns sentences that are all different. */
const prose = (units: number) => {
  let text = '';
  let state = 1;
  while (text.length < units) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += `${(state >>> 7).toString(36)}${state % 11 === 0 ? '.\n' : ' '}`;
  }
  return text.slice(0, units);
};

describe('a delta between two texts', () => {
  it('turns the first text into the second, for any texts', () => {
    fc.assert(
      fc.property(pair, ([from = '', to = '']) => {
        expect(applyDeltas(from, [makeDelta(from, to)])).toBe(to);
      }),
      { numRuns: propertyRuns(5_000) },
    );
  });

  it('is never longer than the whole second text', () => {
    fc.assert(
      fc.property(pair, ([from = '', to = '']) => {
        const full = JSON.stringify([[0, from.length, to]]);
        expect(Buffer.byteLength(makeDelta(from, to))).toBeLessThanOrEqual(Buffer.byteLength(full));
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('is in ascending order and splits no character', () => {
    fc.assert(
      fc.property(pair, ([from = '', to = '']) => {
        let place = 0;
        for (const [start, deleteCount, inserted] of JSON.parse(makeDelta(from, to)) as [
          number,
          number,
          string,
        ][]) {
          expect(start).toBeGreaterThanOrEqual(place);
          place = start + deleteCount;
          expect(inserted.isWellFormed()).toBe(true);
          expect(from.slice(start, place).isWellFormed()).toBe(true);
        }
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it.each([
    ['', '', '[]'],
    ['same', 'same', '[]'],
    ['', 'new', '[[0,0,"new"]]'],
    ['old', '', '[[0,3,""]]'],
    ['one two', 'one 2', '[[4,3,"2"]]'],
    ['aaa', 'aa', '[[2,1,""]]'],
    ['x👍y', 'x👎y', '[[1,2,"👎"]]'],
    ['👍', '👍👍', '[[2,0,"👍"]]'],
  ])('from %j to %j is %s', (from, to, delta) => {
    expect(makeDelta(from, to)).toBe(delta);
  });

  it('keeps surrogate pairs intact when characters share one half', () => {
    // U+1F44D and U+1044D end with the same unit; U+1F44D and U+1F44E start with the same one.
    const [first, second, third] = [prose(100), prose(250).slice(150), prose(400).slice(300)];
    const from = `a${first}👍${second}👍${third}b`;
    const to = `c${first}👎${second}𐑍${third}d`;
    const delta = makeDelta(from, to);
    expect(applyDeltas(from, [delta])).toBe(to);
    for (const [, , inserted] of JSON.parse(delta) as [number, number, string][]) {
      expect(inserted.isWellFormed()).toBe(true);
    }
  });

  it.each([
    ['', '', 0],
    ['same', 'same', 0],
    ['one two', 'one 2', 3],
    ['x👍y', 'x👎y', 2],
    ['aaa', 'aa', 1],
  ])('from %j to %j counts %d changed units', (from, to, units) => {
    expect(changedUnits(from, to)).toBe(units);
  });

  it('stays small for small edits throughout a long text, with or without lines', () => {
    for (const text of [prose(1024 * 1024), prose(1024 * 1024).replaceAll('\n', ' ')]) {
      const places = Array.from({ length: 250 }, (_, index) => index * 4_000);
      const edits = places.map(
        (place) => `<${String(place)}>${text.slice(place + 3, place + 4_000)}`,
      );
      const to = edits.join('') + text.slice(1_000_000);
      const delta = makeDelta(text, to);
      expect(applyDeltas(text, [delta])).toBe(to);
      expect(delta.length).toBeLessThan(250 * 60);
    }
  });

  it.each([
    ['nothing in common', prose(1024 * 1024), prose(2 * 1024 * 1024).slice(1024 * 1024)],
    ['one letter', 'a'.repeat(1024 * 1024), `b${'a'.repeat(1024 * 1024 - 1000)}b`],
    ['repeated lines', 'one line\n'.repeat(110_000), `x${'one lime\none line\n'.repeat(55_000)}`],
    ['two periods', 'ab'.repeat(500_000), `x${'aba'.repeat(333_333)}y`],
  ])('is computed quickly for texts of %s', (_title, from, to) => {
    const started = performance.now();
    const delta = makeDelta(from, to);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(applyDeltas(from, [delta])).toBe(to);
  });
});

describe('a chain of deltas', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '👍', '\n', 'word '), maxLength: 80 });

  it('restores each of several texts, from either end', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), (versions) => {
        const newest = versions.at(-1) ?? '';
        const back = versions.slice(1).map((to, index) => makeDelta(to, versions[index] ?? ''));
        versions.forEach((version, index) => {
          expect(applyDeltas(newest, back.slice(index).reverse())).toBe(version);
        });
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it.each([
    ['[[2,5,"x"]]', 'abc'],
    ['[[9,0,"x"]]', 'abc'],
    ['[[2,1,""],[1,1,""]]', 'abc'],
    ['[[1,-1,""]]', 'abc'],
  ])('is refused when %s does not fit %s', (delta, content) => {
    expect(() => applyDeltas(content, [delta])).toThrow('A stored delta');
  });
});

describe('an older content', () => {
  const content = 'x'.repeat(100);

  it.each([
    ['as a delta', { deltaBytes: 10, deltaCount: 3 }, 'delta', { delta: 'delta', deltaBytes: 15, deltaCount: 4 }],
    ['as a delta that changes nothing', { deltaBytes: 0, deltaCount: 0 }, undefined, { delta: '[]', deltaBytes: 2, deltaCount: 1 }],
    ['whole when deltas outweigh it', { deltaBytes: 98, deltaCount: 3 }, 'delta', { delta: null, deltaBytes: 0, deltaCount: 0 }],
    ['whole when deltas are many', { deltaBytes: 10, deltaCount: 2_000 }, 'delta', { delta: null, deltaBytes: 0, deltaCount: 0 }],
    ['whole where no delta was made', { deltaBytes: 10, deltaCount: 3 }, null, { delta: null, deltaBytes: 0, deltaCount: 0 }],
  ])('is stored %s', (_, kept, delta, expected) => {
    expect(storeContent({ content, ...kept }, delta)).toEqual(expected);
  }); // prettier-ignore
});
