import fc from 'fast-check';
import type { Database } from '../../platform/database/database.js';
import { Highlights } from './highlights.repository.js';
import { readSearch } from './words/search-words.js';

/** A database with one document, whose stemmer leaves words unchanged. */
function databaseWith(content: string): Database {
  const read = (_: unknown, [, , query]: readonly [unknown, unknown, string?]) =>
    Promise.resolve(
      query === undefined
        ? [{ id: 'one', title: '', content, configuration: 'simple' }]
        : [
            {
              configuration: 'simple',
              words: query.split(' or ').map((word) => word.slice(1, -1)),
            },
          ],
    );
  return { read } as unknown as Database;
}

async function highlightOf(content: string, q: string): Promise<string | undefined> {
  const found = await new Highlights(databaseWith(content)).highlight('account', readSearch(q), [
    'one',
  ]);
  return found.get('one');
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
