import { Module } from '@nestjs/common';
import { Highlights } from './highlights.repository.js';
import { IndexLag } from './indexing/index-lag.js';
import { PostgresSearch } from './postgres-search.repository.js';
import { SEARCH_PROVIDER } from './search-provider.js';

/** Provides the search for documents. Alternatives must pass test/search/provider-conformance.ts. */
@Module({
  providers: [Highlights, IndexLag, { provide: SEARCH_PROVIDER, useClass: PostgresSearch }],
  exports: [SEARCH_PROVIDER],
})
export class SearchModule {}
