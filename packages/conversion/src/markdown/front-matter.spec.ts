import fc from 'fast-check';
import { ConversionError } from '../conversion-errors.js';
import { readFrontMatter, writeMarkdownFile } from './front-matter.js';
import { propertyRuns } from '../../../../test/support/property-runs.js';

const updatedAt = new Date(0);

/** Text that the service can store: well-formed, without U+0000. */
const kept = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: 'binary', maxLength }),
      fc
        .array(
          fc.constantFrom(
            '---', '\n', '\r', '\r\n', '...', '"', "'", '\\', ': ', '# ', '- ', '\t', ' ', '\u2028', '\u0085', '\ufeff', '\ufffe', '{', '}', '[', ']', '&a', '*a', '!!x', '%YAML', '|', '>', '\u{1f600}', '\u{10ffff}', 'title: x', '\u001b', '\u007f', 'א', 'null', 'true', '~', '1e3',
          ),
          { maxLength },
        )
        .map((parts) => parts.join('')),
    )
    .map((text) => text.replaceAll('\0', '').toWellFormed()); // prettier-ignore

const spaces = fc
  .array(fc.constantFrom(' ', '\t', '\n', '\r'), { maxLength: 2 })
  .map((parts) => parts.join(''));
const numbers = fc.constantFrom('0', '-0', '1.0', '1e5', '1E+2', '12345678901234567890', '-0.10');
const name = fc.oneof(fc.constantFrom('__proto__', 'constructor', '1', '<<', '', 'tags'), kept(4));

/** JSON text in every valid spelling. */
const json = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    numbers,
    fc.constantFrom('true', 'false', 'null', '"\\u00e9\\/"', '"\\ud83d\\ude00"'),
    kept(6).map((text) => JSON.stringify(text)),
    fc
      .tuple(spaces, fc.array(tie('value'), { maxLength: 3 }))
      .map(([space, items]) => `[${space}${items.join(`${space},`)}${space}]`),
    tie('object'),
  ),
  object: fc
    .tuple(spaces, fc.uniqueArray(fc.tuple(name, tie('value')), { maxLength: 4, selector: ([key]) => key }))
    .map(([space, members]) => {
      const written = members.map(([key, value]) => `${space}${JSON.stringify(key)}${space}:${space}${value}`);
      return `{${written.join(`${space},`)}${space}}`;
    }),
})).object; // prettier-ignore

describe('front matter', () => {
  it('brings back title, type, metadata and content of an export byte for byte', () => {
    fc.assert(
      fc.property(kept(12), json, kept(20), (title, metadata, content) => {
        const document = { title, type: 'report', metadata, content, updatedAt };
        const read = readFrontMatter(writeMarkdownFile(document));
        expect(read).toEqual({ title, type: 'report', metadata, content, warnings: [] });
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('shows the metadata as plain JSON in the usual case', () => {
    const document = {
      title: 'Q3: "results"',
      type: 'report',
      metadata: '{ "tags": ["a"],"ratio":1.0 }',
      content: '# A\n',
      updatedAt,
    };
    expect(writeMarkdownFile(document)).toBe(
      '---\ntitle: "Q3: \\"results\\""\ntype: report\nmetadata: { "tags": ["a"],"ratio":1.0 }\n---\n# A\n',
    );
  });

  it('is read from files that other programs wrote; keys of theirs become metadata', () => {
    const read = readFrontMatter(
      '---\r\ntitle: My post # comment\r\ndate: 2026-11-21\r\ntags: [a, "b"]\r\nnested:\r\n  - x: 0x10\r\n    y: 1.50\r\n---\r\n\r\nText\r\n',
    );
    expect(read).toMatchObject({
      title: 'My post',
      content: '\r\nText\r\n',
      metadata: '{"date": "2026-11-21", "tags": ["a", "b"], "nested": [{"x": 16, "y": 1.50}]}',
    });
    expect(read.warnings.map(({ field }) => field)).toEqual([
      'metadata.date',
      'metadata.tags',
      'metadata.nested',
    ]);
  });

  it.each([
    ['!!omap [x: 1, y: 2]', '[{"x": 1}, {"y": 2}]'],
    ['!!pairs [x: 1, x: 2]', '[{"x": 1}, {"x": 2}]'],
    ['!!set {x, y}', '{"x": null, "y": null}'],
    ['!!binary aGVsbG8=', '"aGVsbG8="'],
    ['!!timestamp 2026-11-21', '"2026-11-21"'],
    ['!!str 5', '"5"'],
    ['!own {x: 1}', '{"x": 1}'],
  ])('loses nothing of %s', (value, kept) => {
    expect(readFrontMatter(`---\na: ${value}\n---\n`).metadata).toBe(`{"a": ${kept}}`);
  });

  it('joins other keys with the metadata, which wins', () => {
    const read = readFrontMatter('---\nmetadata: {"a": 1}\na: 2\nb: 3\n---\n');
    expect(read.metadata).toBe('{"a": 1, "b": 3}');
  });

  it.each([
    ['no front matter at all', 'Text\n---\nmore: 1\n---\n'],
    ['a rule at the beginning', '---\n\nText\n\n---\n\nMore'],
    ['a rule and nothing that ends it', '---\ntitle: x\n'],
    ['text that is no YAML between two rules', '---\n* a: b\n* [c\n---\n'],
    ['a list between two rules', '---\n- a\n- b\n---\n'],
    ['an empty file', ''],
  ])('is not seen in %s', (_, file) => {
    expect(readFrontMatter(file)).toEqual({ content: file, warnings: [] });
  });

  it.each([
    ['broken YAML', '---\ntitle: "x\nmore\n---\n', /not valid YAML \(line 4/],
    ['a key given twice', '---\ntitle: a\ntitle: b\n---\n', /not valid YAML \(line 3/],
    ['an alias', '---\na: &x [1]\nb: *x\n---\n', /aliases \(metadata.b\)/],
    ['a bomb of aliases', `---\na: &a [x,x,x]\n${Array.from({ length: 30 }, (_, n) => `k${String(n)}: &b${String(n)} [*a,*a,*a]`).join('\n')}\n---\n`, /alias/],
    ['deep nesting', `---\na: ${'['.repeat(50_000)}\n---\n`, /is nested too deeply/],
    ['deep nesting that ends', `---\na: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n---\n`, /is nested too deeply/],
    ['a number that JSON has not', '---\na: .inf\n---\n', /JSON cannot represent \(metadata.a\)/],
    ['a title that is a list', '---\ntitle: [a]\n---\n', /title must be text/],
    ['metadata that is no mapping', '---\nmetadata: [1]\n---\n', /metadata must be a mapping/],
    ['a mapping as key', '---\n? {a: 1}\n: 2\n---\n', /keys must be text|not valid/],
    ['far too much of it', `---\na: ${'x'.repeat(300_000)}\n---\n`, /not exceed 262144 characters/],
  ])('is refused with a sentence for %s', (_, file, sentence) => {
    const read = () => readFrontMatter(file);
    expect(read).toThrow(ConversionError);
    expect(read).toThrow(sentence);
  }); // prettier-ignore

  it('takes keys such as __proto__ for what they are', () => {
    const read = readFrontMatter('---\n__proto__:\n  polluted: yes\nconstructor: x\n---\n');
    expect(read.metadata).toBe('{"__proto__": {"polluted": "yes"}, "constructor": "x"}');
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});
