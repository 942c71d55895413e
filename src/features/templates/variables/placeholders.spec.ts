import { propertyRuns } from '../../../../test/support/property-runs.js';
import fc from 'fast-check';
import {
  isVariableName,
  lookAlikesIn,
  namesIn,
  partsOf,
  type Part,
  renderJson,
  renderText,
  type Values,
} from './placeholders.js';

const MIB = 1024 * 1024;

describe('a template text', () => {
  it.each<[string, Part[]]>([
    ['', []],
    ['plain', [{ text: 'plain' }]],
    ['{{a}}', [{ name: 'a' }]],
    ['Dear {{ name }},', [{ text: 'Dear ' }, { name: 'name' }, { text: ',' }]],
    ['{{\tname }}', [{ name: 'name' }]],
    ['{{a}}{{b}}', [{ name: 'a' }, { name: 'b' }]],
    ['{{client.name}} {{due-date}} {{имя}} {{_1}}', names('client.name', 'due-date', 'имя', '_1')],
    ['{{{a}}}', [{ text: '{' }, { name: 'a' }, { text: '}' }]],
    ['{{{{a}}}}', [{ text: '{{' }, { name: 'a' }, { text: '}}' }]],
    ['\\{{a}}', [{ text: '{{a}}' }]],
    ['\\{{ a }}', [{ text: '{{ a }}' }]],
    ['\\\\{{a}}', [{ text: '\\' }, { name: 'a' }]],
    ['\\\\\\{{a}}', [{ text: '\\{{a}}' }]],
    ['{{a}}\\{{b}}', [{ name: 'a' }, { text: '{{b}}' }]],
    ['C:\\dir \\{ {{', [{ text: 'C:\\dir \\{ {{' }]],
    ['\\{{ first name }}', [{ text: '\\{{ first name }}' }]],
    ['{{}} {{ }} {{1a}} {{a b}} {{a\n}} {{#if a}} {{a', null as never],
  ])('%j is split into its parts', (text, parts) => {
    expect([...partsOf(text)]).toEqual((parts as unknown) === null ? [{ text }] : parts);
  });

  it('lists each variable once, in order of first use', () => {
    expect([...namesIn('{{b}}{{a}}{{b}}\\{{c}}')]).toEqual(['b', 'a']);
  });

  it('lists the same names as its parts, for any text', () => {
    const text = fc.array(
      fc.constantFrom('{{a}}', '{{ b }}', '\\', '{', '}', 'c', '{{', '}}', '\n'),
    );
    fc.assert(
      fc.property(text, (pieces) => {
        const parts = [...partsOf(pieces.join(''))];
        const expected = parts.flatMap((part) => ('name' in part ? [part.name] : []));
        expect([...namesIn(pieces.join(''))]).toEqual([...new Set(expected)]);
      }),
    );
  });

  it('has no variable with a name longer than 64 characters', () => {
    expect(isVariableName('😀')).toBe(false);
    expect(isVariableName('𝒜'.repeat(64))).toBe(true);
    expect(namesIn(`{{${'x'.repeat(64)}}} {{${'y'.repeat(65)}}}`)).toEqual(
      new Set(['x'.repeat(64)]),
    );
  });

  it('reports text that looks like a variable but is not', () => {
    const text = '{{first name}} {{a}} \\{{b}} {{first name}} {{#if x}} {{ }} \\{{ x y }} {{\n}}';
    expect(lookAlikesIn(text, 10)).toEqual(['{{first name}}', '{{#if x}}', '{{ }}']);
    expect(lookAlikesIn(text, 1)).toHaveLength(1);
  });

  it('reproduces the original text from its parts, whatever surrounds them', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', '\\', 'a', ' ', 'é', '😀', '"') });
    fc.assert(
      fc.property(text, (around) => {
        // Escaping every placeholder, and every backslash before one, yields the text itself.
        const escaped = around.replaceAll(/(\\*)(\{\{[ ]*[aé]+[ ]*\}\})/gu, '$1$1\\$2');
        expect(joined([...partsOf(escaped)])).toBe(around);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it.each([
    ['opening braces', '{'.repeat(MIB)],
    ['double braces apart', '{{ '.repeat(MIB / 3)],
    ['names without an end', '{{a'.repeat(MIB / 3)],
    ['one name without an end', '{{' + 'a'.repeat(MIB)],
    ['white space in braces', '{{' + ' '.repeat(MIB) + '}}'],
    ['backslashes', '\\'.repeat(MIB)],
    ['backslashes before variables', ('\\'.repeat(1000) + '{{a}}').repeat(MIB / 1005)],
    ['variables', '{{a}}'.repeat(MIB / 5)],
  ])('of 1 MiB of %s is parsed quickly', (_, text) => {
    const started = performance.now();
    Array.from(partsOf(text));
    lookAlikesIn(text, 10);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

function names(...all: string[]): Part[] {
  return all.flatMap((name, index) => (index === 0 ? [{ name }] : [{ text: ' ' }, { name }]));
}

function joined(parts: Part[]): string {
  return parts.map((part) => ('name' in part ? `<${part.name}>` : part.text)).join('');
}

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
  ])('turns %j with %j into %j', (text, given, expected) => {
    expect(renderText(text, values(given as Record<string, string>), MIB)).toBe(expected);
  });

  it('inserts every value verbatim between unchanged texts', () => {
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

  it('refuses a result that is too large without building it', () => {
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
  ])('turns %s into %s', (json, expected) => {
    expect(renderJson(json, values({ x: '1', quote: '"\\\n' }), MIB)).toBe(expected);
  });

  it('changes only string values, each like a separate text', () => {
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

  it('refuses a result that is too large, including the text around the strings', () => {
    const given = values({ x: 'x'.repeat(10) });
    expect(renderJson('{"a":"{{x}}"}', given, 18)).toBe(`{"a":"${'x'.repeat(10)}"}`);
    expect(renderJson('{"a":"{{x}}"}', given, 17)).toBeUndefined();
    expect(
      renderJson(`["${'{{x}}","'.repeat(3_000)}"]`, values({ x: 'y'.repeat(MIB) }), MIB),
    ).toBeUndefined();
  });
});

/** Returns the JSON value with every string in it changed. Names are unchanged. */
function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapped(item, change)]),
  );
}
