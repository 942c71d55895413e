import fc from 'fast-check';
import { isVariableName, lookAlikesIn, namesIn, partsOf, type Part } from './placeholders.js';
import { propertyRuns } from '../../../test/support/property-runs.js';

const MIB = 1024 * 1024;

describe('the text of a template', () => {
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
  ])('%j has its parts', (text, parts) => {
    expect([...partsOf(text)]).toEqual((parts as unknown) === null ? [{ text }] : parts);
  });

  it('names each variable once, in the order of the first places', () => {
    expect([...namesIn('{{b}}{{a}}{{b}}\\{{c}}')]).toEqual(['b', 'a']);
  });

  it('has the names that its parts have, whatever it is', () => {
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

  it('has no variable whose name is longer than 64 characters', () => {
    expect(isVariableName('😀')).toBe(false);
    expect(isVariableName('𝒜'.repeat(64))).toBe(true);
    expect(namesIn(`{{${'x'.repeat(64)}}} {{${'y'.repeat(65)}}}`)).toEqual(
      new Set(['x'.repeat(64)]),
    );
  });

  it('shows what looks like a variable and is none', () => {
    const text = '{{first name}} {{a}} \\{{b}} {{first name}} {{#if x}} {{ }} \\{{ x y }} {{\n}}';
    expect(lookAlikesIn(text, 10)).toEqual(['{{first name}}', '{{#if x}}', '{{ }}']);
    expect(lookAlikesIn(text, 1)).toHaveLength(1);
  });

  it('says nothing else than it was made of, whatever stands around', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', '\\', 'a', ' ', 'é', '😀', '"') });
    fc.assert(
      fc.property(text, (around) => {
        // Escaping every place and every backslash before one gives the text itself.
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
  ])('of 1 MiB of %s is read in a moment', (_, text) => {
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
