import { ROOT } from '../../src/features/auth/access/rights.js';
import type { Access } from '../../src/features/auth/access/access.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import type {
  FoundFacets,
  FoundPage,
  PageOfSearch,
  SearchProvider,
  SearchRequest,
} from '../../src/features/search/search-provider.js';
import {
  countFacets,
  holds,
  isFound,
  keyOf,
  sorted,
  textsOf,
  type ModelDocument,
} from '../documents/search-model.js';

/** A full scan in memory that finds what every provider must find. Does not stem, and ranks by time. */
export class MemorySearch implements SearchProvider {
  constructor(private readonly documents: readonly ModelDocument[]) {}

  find(access: Access, request: SearchRequest, page: PageOfSearch): Promise<FoundPage> {
    const matching = this.matching(access, request);
    const sort = page.sort === 'relevance' ? 'created_at' : page.sort;
    const ids = sorted(matching, sort, page.order);
    const { from, limit } = page;
    const first =
      'offset' in from
        ? from.offset
        : ids.findIndex((id) => decodeId('document', id) === from.id) + 1;
    const byId = new Map(matching.map((document) => [document.id, document]));
    const documents = ids.slice(first, first + limit).flatMap((id) => {
      const document = byId.get(id);
      return document ? [{ id: decodeId('document', id) ?? '', key: keyOf(document, sort) }] : [];
    });
    return Promise.resolve({ documents, total: ids.length, totalIsLowerBound: false });
  }

  countFacets(access: Access, request: SearchRequest, most: number): Promise<FoundFacets> {
    const counts = Object.entries(countFacets(this.matching(access, request))).flatMap(
      ([facet, values]) =>
        [...values]
          .sort(([one, n], [other, m]) => m - n || (one < other ? -1 : 1))
          .slice(0, most)
          .map(([value, count]) => ({
            facet: facet as FoundFacets['counts'][number]['facet'],
            value,
            count,
          })),
    );
    return Promise.resolve({ counts, totalIsLowerBound: false });
  }

  highlight(): Promise<ReadonlyMap<string, string>> {
    return Promise.resolve(new Map());
  }

  warnings(): Promise<[]> {
    return Promise.resolve([]);
  }

  private matching(access: Access, request: SearchRequest): ModelDocument[] {
    return this.documents.filter(
      (document) =>
        access.includes({
          id: decodeId('document', document.id) ?? '',
          collectionId: ROOT,
          metadata: JSON.stringify(document.metadata),
        }) &&
        holds(document, {
          deleted: request.deleted,
          ...Object.fromEntries(
            request.fields.filter(([field]) => field === 'type' || field === 'status'),
          ),
        }) &&
        request.labels.every(([path, values]) =>
          holds(document, { metadata: { [path]: values } }),
        ) &&
        (request.words === undefined || hasWords(document, request.words)),
    );
  }
}

function hasWords(document: ModelDocument, words: NonNullable<SearchRequest['words']>): boolean {
  const texts = textsOf(document);
  return words.some((literals) =>
    literals.every(
      ({ text, phrase, negated }) => isFound(phrase ? `"${text}"` : text, texts) !== negated,
    ),
  );
}
