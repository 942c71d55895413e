import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { SharedReads } from '../database/shared-reads.js';
import type { FieldProblem } from '../errors/app-error.js';
import { MAX_FACET_VALUES, type DocumentFacetsDto } from './dto/document-facets.dto.js';
import type { DocumentFiltersDto } from './dto/document-filters.dto.js';
import { SearchIndex } from './search/search-index.js';
import { searchRequest } from './search/search-request.js';

const COUNT: Statement = {
  name: 'documents.facets',
  text: 'SELECT facet, value, documents FROM search_facets($1::uuid, $2::json, $3::integer)',
};

interface FacetRow {
  facet: keyof DocumentFacetsDto;
  value: string;
  /** A bigint, as text. */
  documents: string;
}

/** Counts of values, and a warning for each facet that has more values than it shows. */
export interface Facets {
  facets: DocumentFacetsDto;
  warnings: FieldProblem[];
}

/** Counts documents by type, status, tag, department and project. */
@Injectable()
export class DocumentFacets {
  private readonly reads = new SharedReads<Facets>();

  constructor(
    private readonly database: Database,
    private readonly index: SearchIndex,
  ) {}

  /** Of the documents that match; exact. */
  count(accountId: string, query: DocumentFiltersDto): Promise<Facets> {
    return this.reads.read(`${accountId} ${JSON.stringify(query)}`, () =>
      this.countOnce(accountId, query),
    );
  }

  private async countOnce(accountId: string, query: DocumentFiltersDto): Promise<Facets> {
    const request = JSON.stringify(searchRequest(query, { ranked: false }));
    const rows = await this.index.read(accountId, () =>
      this.database.run<FacetRow>(COUNT, [accountId, request, MAX_FACET_VALUES]),
    );
    const facets: DocumentFacetsDto = {
      type: [],
      status: [],
      tag: [],
      department: [],
      project: [],
    };
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
    return { facets, warnings };
  }
}
