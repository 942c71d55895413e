import fc from 'fast-check';
import type { Database } from '../../platform/database/database.js';
import { HighlightsRepository } from './highlights.repository.js';
import type { SearchedText } from './search-provider.js';
import { readSearch } from './words/search-words.js';

/** A database whose stemmer leaves words unchanged. `asked` collects the words that it was asked for. */
function databaseWith(asked: string[] = []): Database {
  const read = (_: unknown, [, words]: readonly [unknown, string[]]) => {
    asked.push(...words);
    return Promise.resolve(words.map((word) => ({ lexemes: word.split(' ') })));
  };
  return { read } as unknown as Database;
}

const textOf = (searchedContent: string): SearchedText => ({
  id: 'one',
  title: '',
  searchedContent,
  configuration: 'simple',
});

async function highlightOf(
  content: string,
  q: string,
  highlights = new HighlightsRepository(databaseWith()),
): Promise<string | undefined> {
  return (await highlights.highlight('account', readSearch(q), [textOf(content)])).get('one');
}

const SPACES = [' ', '\u00a0', '\u2003', '\u3000', '\ufeff', '\n'];

describe('A search highlight', () => {
  it.each(SPACES)('finds a word next to whitespace of any script (%j)', async (space) => {
    const text = `the${space}report${space}is${space}late`;
    expect(await highlightOf(text, 'report')).toBe('the <mark>report</mark> is late');
  });

  it('finds a word at the end of a long one, and in a text without spaces', async () => {
    expect(await highlightOf(`${'x'.repeat(150)}-report`, 'report')).toMatch(
      /^<mark>x+-report<\/mark>$/,
    );
    expect(await highlightOf(`${'x'.repeat(5_000)}-report`, 'report')).toContain('report');
    expect(await highlightOf('漢'.repeat(5_000) + '報告', '報告')).toContain('<mark>報告</mark>');
  });

  it('asks for each word once, unless it is very long', async () => {
    const asked: string[] = [];
    const highlights = new HighlightsRepository(databaseWith(asked));
    const long = `report${'s'.repeat(100)}`;
    for (const content of ['the reported', `the reporting ${long}`, `reported reporting ${long}`])
      await highlightOf(content, 'report', highlights);
    expect(asked).toEqual(['reported', 'report', 'reporting', long, long]);
  });

  it('is the same whether words are remembered, and wherever the excerpt cuts a long token', async () => {
    const highlights = new HighlightsRepository(databaseWith());
    for (let pad = 0; pad < 60; pad += 1) {
      const content = `The report is ready. ${'lorem ipsum '.repeat(15)}${'y'.repeat(pad)} https://example.com/archive/quarterly/reporting/reports.html and more ${'text '.repeat(40)}`;
      const first = await highlightOf(content, 'report archive', highlights);
      expect(first).toContain('<mark>report</mark>');
      await highlightOf('repor reporti reports rep archiv report', 'report archive', highlights);
      expect(await highlightOf(content, 'report archive', highlights)).toBe(first);
    }
  });

  it('marks a word anywhere in a text, and nothing else', async () => {
    const texts = fc.string({ unit: 'binary', maxLength: 600 });
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(...SPACES), texts, async (before, space, after) => {
        const html = await highlightOf(`${before}${space}zebra ${after}`, 'zebra');
        expect(html).toMatch(/<mark>[^<]*zebra/i);
      }),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await highlightOf(text.replaceAll(/[zｚ]/giu, ''), 'zebra')).toBeUndefined();
      }),
    );
  });
});
