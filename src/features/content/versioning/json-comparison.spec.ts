import fc from 'fast-check';
import { sameJson, memberChanges } from './json-comparison.js';

describe('comparing JSON texts', () => {
  it.each([
    ['{"a":1,"b":[true, null]}', ' { "a" : 1 ,\n"b":[ true,null ] } '],
    [String.raw`{"\u0061":"\u00e9\/"}`, '{"a":"é/"}'],
    ['[]', '[ ]'],
  ])('treats %s and %s as equal', (one, other) => {
    expect(sameJson(one, other)).toBe(true);
    expect(sameJson(other, one)).toBe(true);
  });

  it.each([
    ['{"a":1}', '{"a":1.0}'],
    ['{"a":12345678901234567890}', '{"a":12345678901234567891}'],
    ['{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":"x y"}', '{"a":"xy"}'],
    ['{"a":""}', '{"a":null}'],
    ['[1,2]', '[12]'],
    ['[[]]', '[]'],
    ['{"a":{}}', '{"a":[]}'],
  ])('distinguishes %s from %s', (one, other) => {
    expect(sameJson(one, other)).toBe(false);
    expect(sameJson(other, one)).toBe(false);
  });

  it('agrees with parsing and serializing when numbers are written plainly', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const texts = [JSON.stringify(one), JSON.stringify(other)] as const;
        expect(sameJson(...texts)).toBe(texts[0] === texts[1]);
        expect(sameJson(texts[0], JSON.stringify(one, undefined, '\t'))).toBe(true);
      }),
    );
  });
});

describe('a diff of two versions', () => {
  it('lists changes of an object by key, in their original spelling', () => {
    const changes = memberChanges(
      '{"a":1.0,"gone":[1, 2],"same":{"x":"\\u00e9"},"n":12345678901234567890}',
      '{"same":{ "x": "é" },"a":1.00,"__proto__":{"b":1e2},"n":12345678901234567891}',
    );
    expect(changes).toBe(
      '{"added":{"__proto__":{"b":1e2}},"removed":{"gone":[1, 2]},"changed":{"a":{"from":1.0,"to":1.00},"n":{"from":12345678901234567890,"to":12345678901234567891}}}',
    );
  });
});
