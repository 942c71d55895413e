import { Inject, Injectable } from '@nestjs/common';
import type { Access } from '../../auth/access/access.js';
import { Database } from '../../../platform/database/database.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { SEARCH_PROVIDER, type SearchProvider } from '../../search/search-provider.js';
import { MAX_FACET_VALUES, type DocumentFacetsDto } from '../dto/document.dto.js';
import type { DocumentFiltersDto } from '../dto/document-filters.dto.js';
import { searchRequest, withCollectionsBelow } from './search-request.js';

/** Counts by value, with a warning for each facet that has more values than are returned. */
export interface Facets {
  /** JSON text of `DocumentFacetsDto`. */
  json: string;
  /** True if only the newest matches were counted. */
  totalIsLowerBound: boolean;
  warnings: readonly FieldProblem[];
}

/** Counts documents by type, status, tag, department and project. */
@Injectable()
export class DocumentFacetsService {
  constructor(
    private readonly database: Database,
    @Inject(SEARCH_PROVIDER) private readonly search: SearchProvider,
  ) {}

  async count(
    access: Access,
    query: DocumentFiltersDto,
    { published }: { published: boolean },
  ): Promise<Facets> {
    const asked = searchRequest(query, published);
    const request = await withCollectionsBelow(this.database, access, asked);
    const [{ counts, totalIsLowerBound }, searchWarnings] = await Promise.all([
      this.search.countFacets(access, request, MAX_FACET_VALUES + 1),
      request.words === undefined ? [] : this.search.warnings(access),
    ]);
    const facets: DocumentFacetsDto = {
      type: [],
      status: [],
      tag: [],
      department: [],
      project: [],
    };
    for (const { facet, value, count } of counts) facets[facet].push({ value, count });
    const warnings = Object.entries(facets)
      .filter(([, values]: [string, unknown[]]) => values.length > MAX_FACET_VALUES)
      .map(([field, values]: [string, unknown[]]) => {
        values.length = MAX_FACET_VALUES;
        return {
          field,
          issue: `has more values; only the ${String(MAX_FACET_VALUES)} most frequent are returned`,
        };
      });
    return {
      json: JSON.stringify(facets),
      totalIsLowerBound,
      warnings: [...searchWarnings, ...warnings],
    };
  }
}
