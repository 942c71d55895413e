import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { SingleFlight } from '../database/single-flight.js';
import type { FieldProblem } from '../errors/app-error.js';
import { MAX_FACET_VALUES, type DocumentFacetsDto } from './dto/document-facets.dto.js';
import type { DocumentFiltersDto } from './dto/document-filters.dto.js';
import { RememberedAnswers } from './search/remembered-answers.js';
import { SearchIndex } from './search/search-index.js';
import { searchRequest, type SearchRequest } from './search/search-request.js';

/** Answers that a process remembers: some 5,000 of the usual 1.5 KB. */
const REMEMBERED = { answers: 10_000, bytes: 16 * 1024 * 1024 };

/** `$4` is the state of which the counts are known; when it is still that one, only the state is answered. */
const COUNT: Statement = {
  name: 'documents.facets',
  text: 'SELECT state, facet, value, documents FROM search_facets_since($1::uuid, $2::json, $3::integer, $4::text)',
};

/** The first row has the state, and nothing else; the others have no state. */
interface StateRow {
  /** Null of an account whose state is not to be relied on. */
  state: string | null;
}

interface FacetRow {
  facet: keyof DocumentFacetsDto;
  value: string;
  /** A bigint, as text. */
  documents: string;
}

/** Counts of values, and a warning for each facet that has more values than it shows. */
export interface Facets {
  /** Of `DocumentFacetsDto`. */
  json: string;
  warnings: readonly FieldProblem[];
}

/** Counts documents by type, status, tag, department and project. */
@Injectable()
export class DocumentFacets {
  private readonly reads = new SingleFlight<Facets>();
  private readonly remembered = new RememberedAnswers<Facets>(REMEMBERED, ({ json }) => json);

  constructor(
    private readonly database: Database,
    private readonly index: SearchIndex,
  ) {}

  /** Of the documents that match; exact. */
  count(accountId: string, query: DocumentFiltersDto): Promise<Facets> {
    const request = searchRequest(query, { ranked: false });
    const key = `${accountId} ${JSON.stringify(request)}`;
    return this.reads.read(key, () => this.countOnce(accountId, request, key));
  }

  /** Every time the database says, in the same moment, whether what is remembered is still true or else what is. */
  private async countOnce(accountId: string, request: SearchRequest, key: string): Promise<Facets> {
    const known = this.remembered.get(key);
    const { found, warnings } = await this.index.search(accountId, request, (asked) => {
      const values = [accountId, JSON.stringify(asked), MAX_FACET_VALUES, known?.state];
      return this.database.read(COUNT, values) as Promise<[StateRow, ...FacetRow[]]>;
    });
    const [{ state }, ...rows] = found;
    if (known && known.state === state) return known.answer;
    const answer = facetsOf(rows, warnings);
    if (state !== null) this.remembered.set(key, { state, answer });
    return answer;
  }
}

function facetsOf(rows: FacetRow[], about: readonly FieldProblem[]): Facets {
  const facets: DocumentFacetsDto = { type: [], status: [], tag: [], department: [], project: [] };
  for (const { facet, value, documents } of rows) {
    facets[facet].push({ value, count: Number(documents) });
  }
  const warnings = Object.entries(facets)
    .filter(([, values]: [string, unknown[]]) => values.length > MAX_FACET_VALUES)
    .map(([field, values]: [string, unknown[]]) => {
      values.length = MAX_FACET_VALUES;
      return {
        field,
        issue: `has more values; these are the ${String(MAX_FACET_VALUES)} most frequent`,
      };
    });
  return { json: JSON.stringify(facets), warnings: [...about, ...warnings] };
}
