import fc from 'fast-check';
import { paragraphsOf } from '../paragraphs.js';
import { MASK, type Paragraph } from './prose.js';
import { readingOf } from './reading.js';
import { propertyRuns } from '../../../../test/support/property-runs.js';

const read = (text: string) =>
  paragraphsOf(text, 'markdown').map((paragraph) => readingOf(paragraph).text);

const signs = fc.constantFrom(
  ...[
    'a',
    'word ',
    'The ',
    '\n',
    '\n\n',
    '\r\n',
    '*',
    '**',
    '_',
    '`',
    '```\n',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '<b>',
    '&amp;',
    '\\',
    '#',
    '# ',
    '- ',
    '1. ',
    '> ',
    '|',
    '---\n',
    '{{x}}',
    '$x$',
    'https://a.b/c',
    '😀',
    'e\u0301',
    '\u202e',
    'א',
    '日本',
    '\ud83d',
    ':tada:',
    'a_b',
    '$',
    '{',
    '}',
    '%s',
    '%(a)s',
    ' :a',
    'a="b"',
    'import a from "b"\n',
    'export const a = ',
    '+++\n',
    '{/*',
    '*/}',
    'a: b\n',
    '\\(',
    '\\)',
  ],
);
const texts = fc.array(signs, { maxLength: 60 }).map((parts) => parts.join(''));
const isLow = (text: string, at: number) =>
  /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));

describe('prose', () => {
  it.each([
    ['inline code', 'Use `foo bar` here.', 'Use JSON here.'],
    ['emphasis in a word', 'mis**spelt** and _so_ on', 'misspelt and so on'],
    ['a link keeps its text', 'See [the guide](https://x.org/a_b "t").', 'See the guide.'],
    ['a link by reference', 'See [the guide][g].\n\n[g]: https://x.org', 'See the guide.'],
    ['a bare address', 'Go to https://x.org/a?b=c or www.x.org now.', 'Go to JSON or JSON now.'],
    ['an e-mail address', 'Write to a.b@x.org today.', 'Write to JSON today.'],
    ['a path', 'Open /etc/hosts and src/main.ts now.', 'Open JSON and JSON now.'],
    ['inline HTML', 'Press <kbd>Ctrl</kbd> <b>now</b>.<br>Go.', 'Press JSON now. Go.'],
    [
      'template variables',
      'Dear {{ name }}, ${x} and <%= y %> and %s.',
      'Dear JSON, JSON and JSON and JSON.',
    ],
    [
      'nested template variables',
      'Left: {n, plural, one {# file} other {# files}}, $(name) and @{x}.',
      'Left: JSON, JSON and JSON.',
    ],
    [
      'printf directives',
      'Send %(name)s and %(count)03d of %1$s, %-10s, %5.2f and %@ at 50% done.',
      'Send JSON and JSON of JSON, JSON, JSON and JSON at 50% done.',
    ],
    [
      'attributes and short codes',
      'Set :to="name" or (click)="go()" in [box id="a"]teh[/box].',
      'Set JSON or JSON in JSONtehJSON.',
    ],
    ['parameters', 'Bind :name here: it is /users/:id now.', 'Bind JSON here: it is JSON now.'],
    ['a host with a path', 'Open x.org/a-b and a-b.config.js.', 'Open JSON and JSON.'],
    ['mathematics in brackets', 'So \\(a + b\\) is \\[c\\].', 'So JSON is [c].'],
    ['a container', ':::note\nOne &teh; two.\n:::', ' One  two. '],
    ['a code of an emoji', 'Done :tada: today', 'Done  today'],
    ['an emoji', 'Done 😀 today', 'Done  today'],
    ['escapes and references', 'R\\&D &amp; don&#39;t', "R&D & don't"],
    [
      'a name in mathematics',
      'So \\(x\\), \\(recieve\\) and \\(f(n), 2\\).',
      'So JSON, JSON and JSON.',
    ],
    ['mathematics behind two backslashes', 'So \\\\(x\\\\) is \\\\[a=b\\\\].', 'So JSON is JSON.'],
    ['escaped brackets', 'The word\\(s\\) \\(not in use\\).', 'The word(s) (not in use).'],
    ['mathematics', 'So $x^2$ is it.', 'So JSON is it.'],
    [
      'identifiers',
      'Call myFunction, my_var and MAX_SIZE with --force.',
      'Call JSON, JSON and JSON with JSON.',
    ],
    ['two prices are no mathematics', 'From $5 to $10 a month.', 'From $5 to $10 a month.'],
    ['a line break', 'one\r\ntwo', 'one  two'],
    ['a quote', '> one\n> two', 'one two'],
    ['composed letters', 'cafe\u0301', 'café'],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  it.each([
    ['a fence', '```js\nteh code\n```'],
    ['a fence without an end', '```\nteh code'],
    ['an indented block', '    teh code'],
    ['front matter', '---\ntitle: teh\n---\n'],
    ['front matter with blank lines', '---\ntitle: teh\n\nmore: teh\n---\n'],
    ['front matter after blank lines', '\n\n---yaml\r\n# teh\r\na: teh\r\n...\r\n'],
    ['front matter in TOML', '\ufeff+++\ntitle = "teh"\n+++\n'],
    ['front matter in JSON', '{\n  "title": "teh",\n  "more": {"teh": 1}\n}\n'],
    ['an import', 'import Teh from "../teh"'],
    [
      'imports',
      "import {\n  Teh,\n  A as teh,\n} from 'teh';\nimport * as b from 'teh'\nimport 'teh.css'",
    ],
    ['an import after front matter', '---\na: teh\n---\nimport Teh, { teh } from "./teh"\n'],
    ['an export', 'export const teh = {\n  name: "teh",\n\n  teh: [1, 2],\n};\n'],
    ['exports', 'export { teh } from "./teh"\nexport * from "./teh"\n\nexport default Teh\n'],
    [
      'a function',
      'export default function Teh({ teh }) {\n  const teh = a;\n\n  return teh;\n}\n',
    ],
    ['an expression', '{list.map((teh) => (\n  <li>{teh}</li>\n))}'],
    ['a comment in braces', '{/*\n  teh\n\n  teh\n*/}'],
    ['an HTML block', '<div>\nteh\n</div>'],
    ['a comment', '<!-- teh\n\nteh -->'],
    ['a definition', '[x]: https://teh.org "teh"'],
    ['a thematic break', '***'],
    ['a formula in lines', '$$\nteh\n- recieve = 1\n$$'],
    ['a formula in TeX', '\\[\nteh\n- recieve = 1\n\\]'],
    ['an environment of TeX', '\\begin{align*}\n- recieve\n\\end{align*}'],
  ])('%s is no prose', (_, text) => {
    expect(read(text)).toEqual([]);
  });

  it('front matter and imports are no prose in plain text either', () => {
    const text = '---\na: teh\n---\nimport Teh from "./teh"\n\nOne is here.';
    const [paragraph, ...others] = paragraphsOf(text, 'plain');
    expect(paragraph).toMatchObject({ prose: 'One is here.', end: text.length });
    expect(others).toEqual([]);
  });

  it.each([
    ['a thematic break', '---\n\nOne is here\n\n---\n', 'One is here'],
    [
      'a word that begins code',
      'import the file, and export it.',
      'import the file, and export it.',
    ],
    ['code in a sentence', '{n} is one.', 'JSON is one.'],
    ['an export without an end', 'export const a = {\n\nTwo are here.', 'Two are here.'],
    ['an expression without an end', '{a is\n\none', '{a is'],
    ['an open formula', '$$\nOne is here.', '$$ One is here.'],
    ['brackets without a formula', '\\[\nOne is here.\n\\]', '[ One is here. ]'],
    ['an open environment', '\\begin{a}\nOne is here.\n\nTwo.', 'Two.'],
    ['code after a sentence', 'One:\nimport a from "b"', 'One: import a from "b"'],
  ])('%s hides no prose', (_, text, expected) => {
    expect(read(text)).toContain(expected);
  });

  it('code at the start moves no position', () => {
    const code = '---\ntitle: 😀\n---\r\nimport A from "😀"\n\n{/* 😀 */}\n\n';
    const [paragraph] = paragraphsOf(`${code}# One 😀 *two*`, 'markdown');
    expect(paragraph).toMatchObject({ start: code.length + 2, kind: 'heading' });
  });

  it('a label that names its definition keeps its spelling', () => {
    const [paragraph] = paragraphsOf(
      'Read [teh docs] and [teh page][teh docs].\n\n[teh docs]: /x',
      'markdown',
    );
    expect(paragraph?.prose.match(/teh \w+/g)).toEqual(['teh page']);
    expect(readingOf(paragraph as Paragraph).text).toBe('Read teh docs and teh page.');
  });

  it('tells headings, items, quotes and cells apart', () => {
    const text = '# One\n\ntwo\n\n- three\n\n> four\n\n| five |\n|---|\n| six |\n';
    expect(paragraphsOf(text, 'markdown').map(({ kind, depth }) => [kind, depth])).toEqual([
      ['heading', 1],
      ['paragraph', undefined],
      ['list-item', undefined],
      ['quote', undefined],
      ['cell', undefined],
      ['cell', undefined],
    ]);
  });

  it('an item and a quotation of one line are read as beside others', () => {
    for (const line of ['- three (words) here', '12. three, "words" here', '>three words here.']) {
      const [alone] = paragraphsOf(`${line}\n`, 'markdown');
      // Emphasis in the next line makes a block that needs the parser.
      const [beside] = paragraphsOf(`${line}\n${line} and *more*\n`, 'markdown');
      expect({ kind: alone?.kind, start: alone?.start }).toEqual({
        kind: beside?.kind,
        start: beside?.start,
      });
      expect(alone?.prose).toContain('here');
    }
  });

  it.each(['markdown', 'plain'] as const)(
    'ranges of %s lie within the text, and masks cover what they say',
    (format) => {
      fc.assert(
        fc.property(texts, (text) => {
          let last = 0;
          for (const paragraph of paragraphsOf(text, format)) {
            expect(paragraph.start).toBeGreaterThanOrEqual(last);
            expect(paragraph.end).toBeLessThanOrEqual(text.length);
            last = paragraph.start;
            expectMasks(text, paragraph);
            expectReading(paragraph);
          }
        }),
        { numRuns: propertyRuns(300), examples: [['a\ud83d😀']] },
      );
    },
  );

  it('a text before a paragraph moves it and changes nothing else', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const before = 'An intro.\n\n';
        const moved = paragraphsOf(before + text, 'plain').slice(1);
        expect(moved.map(({ start, prose }) => [start - before.length, prose])).toEqual(
          paragraphsOf(text, 'plain').map(({ start, prose }) => [start, prose]),
        );
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

function expectMasks(text: string, paragraph: Paragraph): void {
  const source = text.slice(paragraph.start, paragraph.end);
  expect(paragraph.prose).toHaveLength(source.length);
  let last = 0;
  for (const mask of paragraph.masked) {
    expect(mask.start).toBeGreaterThanOrEqual(last);
    expect(mask.end).toBeGreaterThan(mask.start);
    expect(paragraph.prose.slice(mask.start, mask.end)).toBe(MASK.repeat(mask.end - mask.start));
    expect(paragraph.prose.slice(last, mask.start)).toBe(source.slice(last, mask.start));
    last = mask.end;
  }
  expect(paragraph.prose.slice(last)).toBe(source.slice(last));
}

function expectReading({ prose, masked }: Paragraph): void {
  const reading = readingOf({ prose, masked });
  for (let at = 0; at < reading.text.length; at += 1) {
    const range = reading.sourceOf(at, Math.min(at + 3, reading.text.length));
    if (!range) continue;
    expect(range.start).toBeLessThan(range.end);
    expect(prose.slice(range.start, range.end)).not.toContain(MASK);
    expect(isLow(prose, range.start) || isLow(prose, range.end)).toBe(false);
  }
}
