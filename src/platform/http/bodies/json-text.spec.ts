import fc from 'fast-check';
import type { AppError, FieldProblem } from '../../basics/errors/app-error.js';
import { parseJsonObject, sourceText } from './json-text.js';

const read = (text: string) => parseJsonObject(Buffer.from(text));

const problemsOf = (text: string) => {
  try {
    read(text);
  } catch (error) {
    return (error as AppError).details?.['problems'] as FieldProblem[];
  }
  return [];
};

describe('reading JSON', () => {
  it('keeps the source text of every member in any spelling', () => {
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

  it('distinguishes escaped quotes, brackets in strings and escaped names from structure', () => {
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
  ])('refuses the duplicate name in %s', (body, field) => {
    expect(() => read(body)).toThrow(`${field}: is given twice; send each name once`);
  });

  it('accepts equal names in different objects', () => {
    expect(read('{"a":{"k":1},"b":{"k":2},"k":[{"k":3},{"k":4}]}')).toEqual({
      a: { k: 1 },
      b: { k: 2 },
      k: [{ k: 3 }, { k: 4 }],
    });
  });

  it.each([
    ['more members than any field takes', `{"m":[${'1,'.repeat(10_000)}1]}`, /of more than 10000 members/],
    ['more names than any object has', `{${Array.from({ length: 10_001 }, (_, n) => `"${String(n)}":1`).join()}}`, /of more than 10000 members/],
    ['more members in total', `{"m":[${'[],'.repeat(9_999)}[${`[${'1,'.repeat(9_999)}1],`.repeat(120)}1]]}`, /more than 200000 members in total/],
    ['nothing but strings', '"'.repeat(1_000_000), /more than 200000 members in total/],
    ['deeper nesting than anything has', `{"m":${'['.repeat(64)}${']'.repeat(64)}}`, /nests deeper than 64/],
  ])('refuses %s before parsing', (_, body, sentence) => {
    expect(() => read(body)).toThrow(sentence);
  }); // prettier-ignore

  it('accepts the maximum number of members, and does not count brackets and commas in strings', () => {
    const longest = `[${'1,'.repeat(9_999)}1]`;
    const commas = JSON.stringify(',[{'.repeat(20_000));
    const deepest = '['.repeat(63) + ']'.repeat(63);
    const value = read(`{"a":${longest},"b":${longest},"s":${commas},"d":${deepest}}`);
    expect(value['a']).toHaveLength(10_000);
  });

  it('lists up to 100 values that cannot be stored, in document order', () => {
    const body = String.raw`{"a":{"x\u0000y":"\ud800"},"b":[1,"ok",1e400,["\u0000"]],"__proto__":{"c":-1e999}}`;
    const fields = problemsOf(body).map(({ field }) => field);
    expect(fields).toEqual(['a.x\0y', 'a.x\0y', 'b[2]', 'b[3][0]', '__proto__.c']);
    expect(problemsOf(`{"n":[${'1e400,'.repeat(500)}1]}`)).toHaveLength(100);
  });

  it('reports the position of a syntax error', () => {
    expect(() => read('{\n  "a": 1,\n  "b" 2\n}')).toThrow(
      'The body is not valid JSON (line 3, column 7).',
    );
  });
});
