import { Module } from '@nestjs/common';
import { IndexSteps } from './index-steps.js';
import { SearchIndex } from './search-index.js';
import { UnsearchableDocuments } from './unsearchable-documents.js';

/** The search index, as requests read it and the worker keeps it. */
@Module({
  providers: [SearchIndex, IndexSteps, UnsearchableDocuments],
  exports: [SearchIndex, IndexSteps],
})
export class SearchIndexModule {}
