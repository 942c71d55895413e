import fc from 'fast-check';
import { parseJsonObject, sourceText } from './json-text.js';

const read = (text: string) => parseJsonObject(Buffer.from(text));

describe('reading JSON', () => {
  it('keeps the source text of every top member, however it is written', () => {
    const spaced = fc.constantFrom('', ' ', '\n', '\t ');
    const member = fc.tuple(
      fc
        .jsonValue()
        .filter(
          (value) =>
            typeof value === 'object' && value !== null && !JSON.stringify(value).includes('\\u'),
        ),
      spaced,
    );
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ minLength: 1 }).filter((name) => !JSON.stringify(name).includes('\\u')),
          member,
        ),
        spaced,
        (members, space) => {
          const texts = Object.entries(members).map(
            ([name, [value, indent]]) => [name, JSON.stringify(value, undefined, indent)] as const,
          );
          const body = `{${texts.map(([name, text]) => `${space}${JSON.stringify(name)}${space}:${space}${text}${space}`).join(',')}}`;
          const value = read(body);
          for (const [name, text] of texts) expect(sourceText(value[name] as object)).toBe(text);
        },
      ),
    );
  });

  it('tells escaped quotes, brackets in strings and escaped names apart from structure', () => {
    const value = read(
      String.raw`{"a\"b":{"x":"}]\\"}, "meta\u0064ata": {"1":1.0, "0":[{}]} , "s":"{\"no\":1}"}`,
    );
    expect(sourceText(value['a"b'] as object)).toBe(String.raw`{"x":"}]\\"}`);
    expect(sourceText(value['metadata'] as object)).toBe('{"1":1.0, "0":[{}]}');
  });

  it.each([
    ['{"title":"a","title":"b"}', 'title'],
    ['{"m":{"a":[1,{"k":1,"\\u006b":2}]}}', 'm.a[1].k'],
    ['{"m":{"tags":5,"x":{},"tags":["x"]}}', 'm.tags'],
  ])('refuses %s, of which a parser would drop one', (body, field) => {
    expect(() => read(body)).toThrow(`${field}: is given twice; send each name once`);
  });

  it('takes equal names in different objects for what they are', () => {
    expect(read('{"a":{"k":1},"b":{"k":2},"k":[{"k":3},{"k":4}]}')).toEqual({
      a: { k: 1 },
      b: { k: 2 },
      k: [{ k: 3 }, { k: 4 }],
    });
  });

  it('says where malformed JSON is wrong', () => {
    expect(() => read('{\n  "a": 1,\n  "b" 2\n}')).toThrow(
      'The body is not valid JSON (line 3, column 7).',
    );
  });
});
