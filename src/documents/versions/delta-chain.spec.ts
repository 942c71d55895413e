import fc from 'fast-check';
import { makeDelta } from './content-delta.js';
import { applyDeltas } from './delta-chain.js';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '👍', '\n', 'word '), maxLength: 80 });

describe('a chain of deltas', () => {
  it('gives every one of a row of texts, from either end', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), (versions) => {
        const newest = versions.at(-1) ?? '';
        const back = versions.slice(1).map((to, index) => makeDelta(to, versions[index] ?? ''));
        versions.forEach((version, index) => {
          expect(applyDeltas(newest, back.slice(index).reverse())).toBe(version);
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it('is applied to a long text in a moment', () => {
    let current = 'All work and no play makes Jack a dull boy.\n'.repeat(23_000);
    const first = current;
    const deltas: string[] = [];
    for (let edit = 0; edit < 1_500; edit += 1) {
      const place = (edit * 7_919_317) % current.length;
      const next = `${current.slice(0, place)}edit ${String(edit)}${current.slice(place + (edit % 9))}`;
      deltas.unshift(
        JSON.stringify([
          [place, `edit ${String(edit)}`.length, current.slice(place, place + (edit % 9))],
        ]),
      );
      current = next;
    }
    const started = performance.now();
    expect(applyDeltas(current, deltas)).toBe(first);
    expect(performance.now() - started).toBeLessThan(5_000);
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
