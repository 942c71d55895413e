import { Module } from '@nestjs/common';
import { HighlightsRepository } from './highlights.repository.js';
import { IndexLag } from './indexing/index-lag.js';
import { PostgresSearchRepository } from './postgres-search.repository.js';
import { SEARCH_PROVIDER } from './search-provider.js';

/** Provides the search for documents. Alternatives must pass test/search/provider-conformance.ts. */
@Module({
  providers: [
    HighlightsRepository,
    IndexLag,
    { provide: SEARCH_PROVIDER, useClass: PostgresSearchRepository },
  ],
  exports: [SEARCH_PROVIDER],
})
export class SearchModule {}
