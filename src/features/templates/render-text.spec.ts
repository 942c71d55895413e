import fc from 'fast-check';
import { renderJson, renderText, type Values } from './render-text.js';
import { propertyRuns } from '../../../test/support/property-runs.js';

const MIB = 1024 * 1024;
const values = (given: Record<string, string>): Values => new Map(Object.entries(given));
const anyText = fc.string({ unit: 'binary' });
const name = fc.constantFrom('a', 'b', 'client.name', '__proto__', 'имя');

describe('filling the variables of a text', () => {
  it.each([
    ['{{a}} and {{ a }}', { a: '1' }, '1 and 1'],
    ['{{a}}', { a: '{{b}}', b: 'never' }, '{{b}}'],
    ['{{a}}{{b}}', { a: '{{', b: 'a}}' }, '{{a}}'],
    ['{{a}}', { a: '$& $1 \\{{a}}' }, '$& $1 \\{{a}}'],
    ['[{{missing}}]', {}, '[]'],
    ['{{constructor}}{{toString}}', {}, ''],
    ['\\{{a}} \\\\{{a}}', { a: 'x' }, '{{a}} \\x'],
    ['a\r\n{{a}}\t', { a: '\n\r' }, 'a\r\n\n\r\t'],
  ])('makes of %j with %j %j', (text, given, expected) => {
    expect(renderText(text, values(given as Record<string, string>), MIB)).toBe(expected);
  });

  it('puts every value to the letter between texts to the letter', () => {
    const text = anyText.filter((one) => !/[{}\\]/.test(one));
    const pieces = fc.array(fc.tuple(text, name), { maxLength: 20 });
    fc.assert(
      fc.property(
        pieces,
        text,
        fc.array(anyText, { minLength: 5, maxLength: 5 }),
        (all, end, given) => {
          const names = ['a', 'b', 'client.name', '__proto__', 'имя'];
          const filled = new Map(names.map((one, index) => [one, given[index] ?? '']));
          const template = all.map(([before, one]) => `${before}{{${one}}}`).join('') + end;
          const expected =
            all.map(([before, one]) => before + (filled.get(one) ?? '')).join('') + end;
          expect(renderText(template, filled, 100 * MIB)).toBe(expected);
        },
      ),
    );
  });

  it('gives up, without building it, on a result that is too large', () => {
    const started = performance.now();
    const given = values({ a: 'é'.repeat(MIB / 4) });
    expect(renderText('{{a}}'.repeat(MIB / 5), given, MIB)).toBeUndefined();
    expect(renderText('{{a}}{{a}}', given, MIB)).toHaveLength(MIB / 2);
    expect(renderText('{{a}}{{a}}.', given, MIB)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('filling the variables of JSON', () => {
  it.each([
    ['{ "a" : "{{x}}" }', '{ "a" : "1" }'],
    ['{"{{x}}":"\\u007b{x}} \\"{{x}}\\""}', '{"{{x}}":"1 \\"1\\""}'],
    [
      '{"n":1.0,"l":["{{x}}","\\u0041",{"k":"{{ x }}!"}],"b":true}',
      '{"n":1.0,"l":["1","\\u0041",{"k":"1!"}],"b":true}',
    ],
    ['{"e":"\\\\{{x}}"}', '{"e":"{{x}}"}'],
    ['{"q":"{{quote}}"}', '{"q":"\\"\\\\\\n"}'],
    ['{}', '{}'],
  ])('makes of %s %s', (json, expected) => {
    expect(renderJson(json, values({ x: '1', quote: '"\\\n' }), MIB)).toBe(expected);
  });

  it('changes string values only, each as the same text by itself', () => {
    const text = fc.string({ unit: fc.constantFrom('{{a}}', '\\', '"', ':', '{', '}', 'é', ' ') });
    const given = values({ a: '":{' });
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(text, fc.oneof(text, fc.array(text))),
        (one, two) => {
          const value: unknown = JSON.parse(JSON.stringify({ one, two }));
          const rendered = renderJson(JSON.stringify(value, null, 1), given, MIB) ?? '';
          expect(JSON.parse(rendered)).toEqual(
            mapped(value, (s) => renderText(s, given, MIB) ?? ''),
          );
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });

  it('gives up on a result that is too large, counting what surrounds the strings', () => {
    const given = values({ x: 'x'.repeat(10) });
    expect(renderJson('{"a":"{{x}}"}', given, 18)).toBe(`{"a":"${'x'.repeat(10)}"}`);
    expect(renderJson('{"a":"{{x}}"}', given, 17)).toBeUndefined();
    expect(
      renderJson(`["${'{{x}}","'.repeat(3_000)}"]`, values({ x: 'y'.repeat(MIB) }), MIB),
    ).toBeUndefined();
  });
});

/** The JSON value with every string in it changed; names stay. */
function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapped(item, change)]),
  );
}
