import fc from 'fast-check';
import { startTestApp, type TestApp } from '../support/app.js';
import type { ApiClient } from '../support/api-client.js';
import { readPdf, type PdfLayout, type PlacedText } from '../support/pdf-text.js';
import { drillCount } from '../support/drills.js';

/** Points. */
const MARGIN = 62;
const BODY_SIZE = 10.5;
const MIN_SIZE = 7;

let app: TestApp;
let api: ApiClient;
beforeAll(async () => {
  app = await startTestApp();
  ({ api } = await app.account({ plan: 'enterprise' }));
});
afterAll(() => app.close());

/** Returns the pages of an export without page numbers. Fails if there is anything else outside the margins. */
async function pagesOf(content: string): Promise<PdfLayout[]> {
  const { body } = await api.createDocument({ title: 'T', content: `# T\n\n${content}` });
  const { bytes } = await api.exportDocument((body.data as { id: string }).id, 'pdf');
  const { layouts } = await readPdf(bytes);
  return layouts.map((page, index) => {
    const number = page.texts.find(({ text, y }) => text === String(index + 1) && y < MARGIN);
    expect(number).toBeDefined();
    const texts = page.texts.filter((text) => text !== number);
    for (const text of texts) {
      const [right, top] = [page.width - MARGIN, page.height - MARGIN];
      const inside =
        text.x > MARGIN - 1 && text.x + text.width < right + 1 && text.y > MARGIN && text.y < top;
      expect({ ...text, inside }).toMatchObject({ inside: true });
    }
    return { ...page, texts };
  });
}

const isLandscape = ({ width, height }: PdfLayout) => width > height;
const textsOf = (pages: readonly PdfLayout[]) => pages.flatMap(({ texts }) => texts);
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = ([header = [], ...body]: readonly (readonly string[])[]) =>
  [row(header), row(header.map(() => '---')), ...body.map(row)].join('\n');
const numbered = <T>(count: number, cell: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => cell(index));

/** Counts how often each word occurs on the pages in one piece. */
function wordsOf(texts: readonly PlacedText[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of texts.flatMap(({ text }) => text.trim().split(/\s+/)))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

describe('a table in a PDF', () => {
  it('a table in a PDF keeps words, numbers, dates and addresses in one piece, whatever their punctuation', async () => {
    const cells = [
      '299',
      '1,299.00',
      '-1.299,50',
      '2026-11-21',
      'AB-CD-EF-01',
      '**responsibility**',
      '`configuration`',
      '[documentation](https://example.com)',
      'https://example.com/reports/2026',
      'مسؤولية',
      'internationalisation',
    ];
    const remark = 'and a remark that is so long that no column has room for all of it '.repeat(3);
    const pages = await pagesOf(table([cells.map(() => 'n'), cells, cells.map(() => remark)]));
    const words = wordsOf(textsOf(pages));
    for (const cell of cells) {
      const shown = cell.replace(/\*\*|`|\[|\]\(.*/g, '');
      expect([shown, words.get(shown)]).toEqual([shown, 1]);
    }
    expect(words.get('remark')).toBe(3 * cells.length);
  });

  it('a table in a PDF stays upright with 11 columns that fit, in the surrounding text size', async () => {
    const pages = await pagesOf(table([numbered(11, String), numbered(11, () => '299')]));
    expect(pages.map(isLandscape)).toEqual([false]);
    expect(wordsOf(textsOf(pages)).get('299')).toBe(11);
    for (const { text, size } of textsOf(pages))
      if (text === '299') expect(size).toBeCloseTo(BODY_SIZE);
  });

  it('a table in a PDF is rotated from 12 columns on, with its heading and without the surrounding text', async () => {
    const wide = table([numbered(12, (index) => `c${String(index)}`), numbered(12, () => '299')]);
    const pages = await pagesOf(`before\n\n## Wide\n\n${wide}\n\nafter`);
    expect(pages.map(isLandscape)).toEqual([false, true, false]);
    expect(pages.map(({ texts }) => texts.map(({ text }) => text).join(' '))).toEqual([
      expect.stringMatching(/^T before$/),
      expect.stringMatching(/^Wide c0 .*299$/),
      'after',
    ]);
    expect(wordsOf(textsOf(pages)).get('299')).toBe(12);
  });

  it('a table in a PDF with few columns gets smaller before it is rotated, and is rotated before a word is broken', async () => {
    const address = (length: number) => `https://example.com/${'a'.repeat(length)}`;
    const some = await pagesOf(table([['n', 'u'], ['1', address(60)]])); // prettier-ignore
    expect(some.map(isLandscape)).toEqual([false]);
    const [small] = textsOf(some).filter(({ text }) => text === address(60));
    expect(small?.size).toBeLessThan(BODY_SIZE - 0.5);
    expect(small?.size).toBeGreaterThan(MIN_SIZE);
    const more = await pagesOf(table([['n', 'u'], ['1', address(110)]])); // prettier-ignore
    expect(isLandscape(more.at(-1) as PdfLayout)).toBe(true);
    expect(wordsOf(textsOf(more)).get(address(110))).toBe(1);
  });

  it.each([40, 100])(
    'a table in a PDF of %i columns is rotated, set in small type and split: each part has the header and the first column',
    async (columns) => {
      const cells = (mark: string) => numbered(columns, (index) => `${mark}-1,${String(index)}.00`);
      const pages = await pagesOf(table([cells('header'), cells('first'), cells('second')]));
      expect(pages.map(isLandscape)).toEqual(pages.map(() => true));
      const texts = textsOf(pages).filter(({ text }) => text !== 'T');
      for (const { size } of texts) expect(size).toBeCloseTo(MIN_SIZE);
      const words = wordsOf(texts);
      const parts = words.get('header-1,0.00') ?? 0;
      expect(parts).toBeGreaterThan(1);
      for (const mark of ['header', 'first', 'second']) {
        const [first, ...others] = cells(mark);
        expect(words.get(first ?? '')).toBe(parts);
        for (const word of others) expect([word, words.get(word)]).toEqual([word, 1]);
      }
      const left = Math.min(...texts.map(({ x }) => x));
      for (const { text, x } of texts) if (text.endsWith('1,0.00')) expect(x).toBeCloseTo(left);
    },
  );

  it('a table in a PDF breaks a word that is wider than any page, and only that one', async () => {
    const long = '0123456789'.repeat(30);
    const pages = await pagesOf(table([['name', 'token', 'amount'], ['key', long, '1,299.00']])); // prettier-ignore
    const shown = textsOf(pages).filter(({ text }) => /^\d+$/.test(text));
    expect(shown.length).toBeGreaterThan(1);
    expect(shown.map(({ text }) => text).join('')).toBe(long);
    const words = wordsOf(textsOf(pages));
    for (const word of ['name', 'token', 'amount', 'key', '1,299.00'])
      expect([word, words.get(word)]).toEqual([word, 1]);
  });

  it('a table in a PDF breaks Chinese between characters, next to numbers that stay whole', async () => {
    const chinese = '这是一个很长的说明文字用来检查'.repeat(10);
    const pages = await pagesOf(table([['名称', '说明'], ['299', chinese]])); // prettier-ignore
    expect(pages.map(isLandscape)).toEqual([false]);
    const lines = textsOf(pages).filter(({ text }) => text.length > 5);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.map(({ text }) => text).join('')).toBe(chinese);
    expect(wordsOf(textsOf(pages)).get('299')).toBe(1);
  });

  it('a table in a PDF puts a list marker in a narrow cell next to its text', async () => {
    const cell = '<td><ul><li>aa</li><li>bb</li></ul></td>';
    const pages = await pagesOf(`<table><tr>${cell.repeat(11)}</tr></table>`);
    const texts = textsOf(pages);
    const marks = texts.filter(({ text }) => text.startsWith('•'));
    expect(marks).toHaveLength(22);
    for (const { x, y, width } of marks.filter(({ text }) => text === '•')) {
      const beside = texts.filter((text) => text.y === y && text.x >= x && /aa|bb/.test(text.text));
      expect(Math.min(...beside.map((text) => text.x))).toBeGreaterThan(x + width);
    }
    expect(wordsOf(texts).get('aa')).toBe(11);
  });

  it('a table in a PDF has its header once at the top of each page, even in a quote and below a row that is higher than a page', async () => {
    const lines = numbered(120, (index) => `line${String(index)}`);
    const rows = numbered(40, (index) => [`row${String(index)}`, '299']);
    const content = table([['head', 'amount'], ...rows, [lines.join('<br>'), 'x']]);
    const quoted = content.replace(/^/gm, '> ');
    // Leaves space for the header, but not for a row below it.
    const before = numbered(28, (index) => `text${String(index)}`).join('\n\n');
    for (const given of [content, `${before}\n\n${content}`, quoted]) {
      const pages = await pagesOf(given);
      const words = wordsOf(textsOf(pages));
      for (const word of [...lines, ...rows.map(([name = '']) => name)])
        expect([word, words.get(word)]).toEqual([word, 1]);
      for (const { texts } of pages) {
        const heads = texts.filter(({ text }) => text === 'head');
        const cells = texts.filter(({ text }) => /^(row|line)\d/.test(text));
        expect(heads).toHaveLength(cells.length > 0 ? 1 : 0);
        for (const { x, y } of cells) {
          expect(x).toBeCloseTo(heads[0]?.x ?? 0);
          expect(y).toBeLessThan(heads[0]?.y ?? 0);
        }
      }
    }
  });

  it('a table in a PDF breaks no word, loses none and leaves no page, whatever it contains', async () => {
    const word = fc.oneof(
      { weight: 4, arbitrary: fc.stringMatching(/^[a-z]{1,14}$/) },
      fc.stringMatching(/^[1-9]\d{0,2}(,\d{3}){1,3}\.\d\d$/),
      fc.stringMatching(/^[a-z]{2,8}(-[a-z]{2,8}){1,3}$/),
      fc.stringMatching(/^[A-Za-z]{30,60}$/),
    );
    const cell = fc.array(word, { maxLength: 6 });
    const rows = fc
      .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 2, max: 6 }))
      .chain(([columns, count]) =>
        fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
          minLength: count,
          maxLength: count,
        }),
      );
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        // Makes each word unique.
        let count = 0;
        const unique = given.map((cells) =>
          cells.map((words) => words.map((one) => `${String((count += 1))}n${one}`)),
        );
        const pages = await pagesOf(
          table(unique.map((cells) => cells.map((words) => words.join(' ')))),
        );
        const shown = wordsOf(textsOf(pages).filter(({ text }) => text !== 'T'));
        const [header = [], ...body] = unique;
        for (const one of body.flatMap((cells) => cells.slice(1).flat()))
          expect([one, shown.get(one)]).toEqual([one, 1]);
        const repeated = [...header.flat(), ...body.flatMap((cells) => cells[0] ?? [])];
        for (const one of repeated) expect([one, shown.has(one)]).toEqual([one, true]);
        expect([...shown.keys()].sort()).toEqual(unique.flat(2).sort());
      }),
      { numRuns: drillCount({ small: 3, full: 12 }), endOnFailure: true },
    );
  });
});
