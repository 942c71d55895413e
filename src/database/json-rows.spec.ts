import fc from 'fast-check';
import { jsonRows } from './json-rows.js';

describe('rows for a statement', () => {
  it('are the bytes of a JSON array', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.json())), (rows) => {
        expect(jsonRows(rows).toString()).toBe(JSON.stringify(rows));
      }),
    );
  });
});
