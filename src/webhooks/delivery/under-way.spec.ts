import fc from 'fast-check';
import { UnderWay } from './under-way.js';

describe('What is under way', () => {
  it('is what was added and not removed, as in a set', () => {
    const steps = fc.array(fc.record({ adds: fc.boolean(), which: fc.nat() }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (all) => {
        const underWay = new UnderWay<number>();
        const expected = new Map<number, number>();
        all.forEach(({ adds, which }, item) => {
          if (adds) expected.set(item, underWay.add(item));
          else {
            const [gone, place] = [...expected][which % (expected.size || 1)] ?? [];
            if (gone === undefined || place === undefined) return;
            expected.delete(gone);
            underWay.remove(place);
            // Twice is once.
            underWay.remove(place);
          }
          expect([...underWay].toSorted()).toEqual([...expected.keys()].toSorted());
        });
      }),
    );
  });

  it('takes no more places than there were things at once', () => {
    const underWay = new UnderWay<string>();
    const places = Array.from({ length: 1_000 }, (_, index) => {
      const place = underWay.add(String(index));
      underWay.remove(place);
      return place;
    });
    expect(new Set(places).size).toBe(1);
  });
});
