import { Access } from '../../src/features/auth/access/access.js';
import { decodeId, encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import type {
  PageOfSearch,
  SearchProvider,
  SearchRequest,
} from '../../src/features/search/search-provider.js';
import { readSearch } from '../../src/features/search/words/search-words.js';
import { accessTo } from '../auth/browser-access.js';
import type { ModelDocument } from '../documents/search-model.js';
import { MemorySearch } from './memory-search.js';

/** A provider with documents of one account. Ids are UUIDs. */
export interface FilledProvider {
  provider: SearchProvider;
  accountId: string;
}

type Filled = FilledProvider & { documents: ModelDocument[] };

const TITLES = ['alpha', 'alpha bravo', 'bravo', 'Café', '東京都', 'alpha 東京', 'kilo', 'delta'];

/**
 * Returns documents in several scripts, of all kinds, each a minute newer than the previous one. Every eighth is in the
 * trash.
 */
export function conformanceDocuments(createdBy: string): ModelDocument[] {
  return Array.from({ length: 64 }, (_, n) => {
    const moment = new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
    return {
      id: encodeId('document', newUuid()),
      title: TITLES[n % TITLES.length] ?? '',
      content: n % 3 === 0 ? 'bravo kilo' : 'alpha delta 京都',
      type: n % 2 === 0 ? 'report' : 'article',
      status: n % 5 === 0 ? 'archived' : 'draft',
      metadata: {
        tags: n % 2 === 0 ? ['a', 'b'] : ['a'],
        department: n % 4 === 0 ? 'x' : 'y',
        deep: { n: n % 3 },
      },
      createdBy,
      templateId: null,
      wordCount: n % 7,
      createdAt: moment,
      updatedAt: moment,
      deleted: n % 8 === 7,
    };
  });
}

const ANY: SearchRequest = {
  deleted: false,
  fields: [],
  labels: [],
  created: {},
  updated: {},
  words: undefined,
};
const asking = (request: Partial<SearchRequest>): SearchRequest => ({ ...ANY, ...request });
const words = (q: string) => asking({ words: readSearch(q) });

const REQUESTS: [what: string, request: SearchRequest][] = [
  ['a type', asking({ fields: [['type', ['report']]] })],
  ['two types', asking({ fields: [['type', ['article', 'report']]] })],
  [
    'a type and a status',
    asking({
      fields: [
        ['type', ['report']],
        ['status', ['archived', 'draft']],
      ],
    }),
  ],
  ['the trash', asking({ deleted: true })],
  ['a type in the trash', asking({ deleted: true, fields: [['type', ['article']]] })],
  ['two types in the trash', asking({ deleted: true, fields: [['type', ['article', 'report']]] })],
  [
    'two tags',
    asking({
      labels: [
        ['tags', ['a']],
        ['tags', ['b']],
      ],
    }),
  ],
  [
    'a number deep in metadata and a type',
    asking({ labels: [['deep.n', ['1']]], fields: [['type', ['report']]] }),
  ],
  ['a value that nothing has', asking({ labels: [['department', ['z']]] })],
  ['either of two tags', asking({ labels: [['tags', ['a', 'b']]] })],
  [
    'either of two numbers, and either of two tags',
    asking({
      labels: [
        ['deep.n', ['0', '2']],
        ['tags', ['b', 'c']],
      ],
    }),
  ],
  ['a word', words('alpha')],
  ['two words', words('alpha bravo')],
  ['a phrase', words('"alpha bravo"')],
  ['a word and not another one', words('alpha -bravo')],
  ['one of two words', words('cafe or kilo')],
  ['a pair of characters', words('東京')],
  ['three characters', words('東京都')],
  ['a phrase across scripts', words('"alpha 東京"')],
  ['a word in the trash', { ...words('東京 or delta'), deleted: true }],
  ['a word and a tag', { ...words('alpha'), labels: [['tags', ['b']]] }],
  ['a word and two types', { ...words('alpha'), fields: [['type', ['article', 'report']]] }],
];

/** Accesses to all documents, to some, and to those with a tag. */
const ACCESS = {
  everybody: ({ accountId }: Filled) => Access.ofService(accountId),
  'a token of some documents': ({ accountId, documents }: Filled) =>
    accessTo(accountId, {
      ids: documents.filter((_, n) => n % 3 === 0).map(({ id }) => decodeId('document', id) ?? ''),
    }),
  'a token of a tag': ({ accountId }: Filled) => accessTo(accountId, { tags: ['b', 'unused'] }),
};
const everyAccess = REQUESTS.flatMap(([what, request]) =>
  (Object.keys(ACCESS) as (keyof typeof ACCESS)[]).map((kind) => [what, kind, request] as const),
);

const SORTS = ['created_at', 'updated_at', 'title', 'word_count'] as const;

/** The tests that every search provider must pass. `fill` adds documents to a new one. */
export function searchProviderConformance(
  name: string,
  fill: (documents: (createdBy: string) => ModelDocument[]) => Promise<Filled>,
): void {
  describe(`${name}, as every search provider,`, () => {
    let filled: Filled;
    let model: MemorySearch;
    beforeAll(async () => {
      filled = await fill(conformanceDocuments);
      model = new MemorySearch(filled.documents);
    });

    it.each(everyAccess)(
      'A search provider finds by %s, for %s, what a full scan finds, in every order and page',
      async (_, kind, request) => {
        const { provider } = filled;
        const access = ACCESS[kind](filled);
        for (const sort of SORTS) {
          for (const order of ['asc', 'desc'] as const) {
            const page: PageOfSearch = { sort, order, limit: 7, from: { offset: 3 } };
            const found = await provider.find(access, request, page);
            const expected = await model.find(access, request, page);
            expect([sort, order, found.total, idsOf(found)]).toEqual([
              sort,
              order,
              expected.total,
              idsOf(expected),
            ]);
            const last = found.documents.at(-1);
            if (!last) continue;
            const key = last.key instanceof Date ? last.key.toISOString() : last.key;
            const next: PageOfSearch = { sort, order, limit: 7, from: { key, id: last.id } };
            const after = await provider.find(access, request, next);
            expect(idsOf(after)).toEqual(idsOf(await model.find(access, request, next)));
          }
        }
      },
    );

    it.each(everyAccess)(
      'A search provider counts facets of %s, for %s, as a full scan does',
      async (_, kind, request) => {
        const { provider } = filled;
        const access = ACCESS[kind](filled);
        const byFacet = (counts: { facet: string; value: string; count: number }[]) =>
          counts.map(({ facet, value, count }) => `${facet} ${value} ${String(count)}`).sort();
        const found = await provider.countFacets(access, request, 100);
        const expected = await model.countFacets(access, request, 100);
        expect(byFacet(found.counts)).toEqual(byFacet(expected.counts));
      },
    );

    it('A search provider finds nothing of another account', async () => {
      const page: PageOfSearch = {
        sort: 'created_at',
        order: 'desc',
        limit: 5,
        from: { offset: 0 },
      };
      for (const [, request] of REQUESTS) {
        expect((await filled.provider.find(Access.ofService(newUuid()), request, page)).total).toBe(
          0,
        );
      }
    });

    it('ranks a word in the title above one in the content, and shows where it is', async () => {
      const { provider, accountId } = filled;
      const kilo = words('kilo');
      const page: PageOfSearch = {
        sort: 'relevance',
        order: 'desc',
        limit: 100,
        from: { offset: 0 },
      };
      const { documents } = await provider.find(Access.ofService(accountId), kilo, page);
      const titles = new Map(filled.documents.map(({ id, title }) => [id, title]));
      const inTitle = documents.map(({ id }) => titles.get(encodeId('document', id)) === 'kilo');
      expect(inTitle.lastIndexOf(true)).toBeLessThan(inTitle.indexOf(false));
      const [first] = documents;
      const text = { title: 'kilo', searchedContent: 'bravo kilo', configuration: 'simple' };
      const shown = await provider.highlight(
        accountId,
        kilo.words ?? [],
        first ? [{ id: first.id, ...text }] : [],
      );
      expect([...shown.values()].join('')).toContain('<mark>kilo</mark>');
    });
  });
}

function idsOf({ documents }: { documents: { id: string }[] }): string[] {
  return documents.map(({ id }) => id);
}
