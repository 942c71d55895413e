import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { updateIndex } from '../documents/document-rows.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { fillDocuments } from '../support/fill.js';
import { newCollection, newMember, setAccess } from './collections-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** More than the 20,000 documents that searches look up one by one. */
const DOCUMENTS = 24_000;
/** Every 12th document is hidden, and every third contains `kilo`. */
const HIDDEN = 12;
const numbers = Array.from({ length: DOCUMENTS }, (_, n) => n + 1);
const visible = numbers.filter((n) => n % HIDDEN !== 0);
const withKilo = visible.filter((n) => n % 3 === 0);

describe('an account in which a member sees more than 20,000 documents', () => {
  it('the member finds, counts and sorts all that they see, and nothing else', async () => {
    const owner = await app.account();
    const { api } = await newMember(app, owner);
    const collection = await newCollection(owner.api, 'Hidden');
    await setAccess(owner.api, collection, { everyone: null, people: [] });
    await fillDocuments(app.dataSource, owner, DOCUMENTS, {
      title: `CASE WHEN n % 3 = 0 THEN 'kilo ' ELSE 'lima ' END || lpad(n::text, 5, '0')`,
      created_at: `timestamptz '2026-01-01' + n * interval '1 second'`,
    });
    await app.dataSource.query(
      `UPDATE documents SET collection_id = $2
        WHERE account_id = $1 AND split_part(title, ' ', 2)::integer % $3 = 0`,
      [owner.accountId, decodeId('collection', collection.id), HIDDEN],
    );
    await updateIndex(app);
    const found = async (query: Record<string, string | number>) => {
      const response = await api.listDocuments({ limit: 100, ...query });
      const rows = expectSuccess(response) as { title: string }[];
      const { total } = response.body.meta.pagination as { total: number };
      return { total, numbers: rows.map(({ title }) => Number(title.split(' ')[1])) };
    };
    const newest = (some: number[], from = 0) => some.toReversed().slice(from, from + 100);
    const sum = async (query: string) => {
      const facets = await api.send('GET', `/v1/documents/facets?${query}`);
      const { type } = expectSuccess(facets) as { type: { count: number }[] };
      return type.reduce((all, { count }) => all + count, 0);
    };
    const { length: total } = visible;
    expect(await found({})).toEqual({ total, numbers: newest(visible) });
    expect(await found({ page: 150 })).toEqual({ total, numbers: newest(visible, 14_900) });
    expect(await found({ sort: 'title', order: 'asc', type: 'document' })).toEqual({
      total,
      numbers: withKilo.slice(0, 100),
    });
    const words = { total: withKilo.length, numbers: newest(withKilo) };
    expect(await found({ q: 'kilo', sort: 'created_at' })).toEqual(words);
    expect(await found({ q: 'kilo', sort: 'created_at', type: 'document' })).toEqual(words);
    expect(await found({ q: 'kilo' })).toEqual(words);
    expect(await sum('q=kilo')).toBe(withKilo.length);
    expect(await sum('')).toBe(20_000);
  }, 600_000);
});
