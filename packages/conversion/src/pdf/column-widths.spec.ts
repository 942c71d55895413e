import fc from 'fast-check';
import { layoutColumns } from './column-widths.js';

const ROOM = { portrait: 470, landscape: 720 };
const SMALLEST = 0.5;

const columns = (count: number, min: number, max = min) =>
  Array.from({ length: count }, () => ({ min, max }));
const widthsOf = (...given: Parameters<typeof layoutColumns>) =>
  layoutColumns(...given).parts.map((part) => part.map(({ width }) => width));
const placesOf = (...given: Parameters<typeof layoutColumns>) =>
  layoutColumns(...given).parts.map((part) => part.map(({ column }) => column));

describe('the widths of the columns of a table', () => {
  it('are those of the longest lines where there is room for all of them', () => {
    const given = [
      { min: 20, max: 120 },
      { min: 50, max: 50 },
    ];
    expect(widthsOf(given, ROOM, SMALLEST)).toEqual([[120, 50]]);
  });

  it('are never less than the widest word; a longer text gets more of what is left, a short one its whole line', () => {
    const given = [
      { min: 50, max: 60 },
      { min: 60, max: 460 },
      { min: 60, max: 1_660 },
    ];
    const [[short = 0, long = 0, longest = 0] = []] = widthsOf(given, ROOM, SMALLEST);
    expect(short).toBe(60);
    expect(longest - 60).toBeCloseTo(2 * (long - 60));
    expect(short + long + longest).toBeCloseTo(470);
  });

  it.each([
    ['11 columns that fit stay upright', columns(11, 40), { landscape: false, scale: 1 }],
    ['11 columns that fit in smaller type stay upright', columns(11, 50), { landscape: false }],
    ['11 columns that fit no upright page are turned', columns(11, 90), { landscape: true }],
    ['12 columns are turned though they would fit', columns(12, 10), { landscape: true, scale: 1 }],
    ['12 wide columns are turned and made smaller', columns(12, 80), { scale: 720 / 960 }],
    ['the type is made no smaller than the limit', columns(100, 80), { scale: SMALLEST }],
  ])('%s', (_, given, expected) => {
    expect(layoutColumns(given, ROOM, SMALLEST)).toMatchObject(expected);
  });

  it('a table in a cell, where the page cannot be turned, gets smaller and is split upright', () => {
    const laid = layoutColumns(columns(12, 100), { portrait: 400 }, SMALLEST);
    expect(laid).toMatchObject({ landscape: false, scale: SMALLEST });
    expect(laid.parts.map(({ length }) => length)).toEqual([8, 5]);
  });

  it('each further part of a table that is split begins with the first column', () => {
    expect(placesOf(columns(9, 300), ROOM, SMALLEST)).toEqual([
      [0, 1, 2, 3],
      [0, 4, 5, 6],
      [0, 7, 8],
    ]);
  });

  it('a column so wide that the first one has no room beside it stands alone', () => {
    const given = [800, 800, 100].map((min) => ({ min, max: min }));
    expect(placesOf(given, ROOM, SMALLEST)).toEqual([[0], [1, 2]]);
  });

  it('every column stands in a part, at least as wide as its widest word, and no part is wider than the page', () => {
    const column = fc
      .tuple(fc.integer({ min: 1, max: 1_440 }), fc.integer({ min: 0, max: 5_000 }))
      .map(([min, more]) => ({ min, max: min + more }));
    fc.assert(
      fc.property(fc.array(column, { minLength: 1, maxLength: 120 }), (given) => {
        const { landscape, scale, parts } = layoutColumns(given, ROOM, SMALLEST);
        const page = landscape ? ROOM.landscape : ROOM.portrait;
        for (const part of parts) {
          for (const { column: place, width } of part)
            expect(width).toBeGreaterThanOrEqual((given[place]?.min ?? 0) * scale);
          expect(part.reduce((sum, { width }) => sum + width, 0)).toBeLessThanOrEqual(page + 1e-6);
        }
        const others = parts.flatMap((part, index) =>
          part.filter(({ column: place }) => place > 0 || index === 0),
        );
        expect(others.map(({ column: place }) => place)).toEqual([...given.keys()]);
      }),
    );
  });
});
