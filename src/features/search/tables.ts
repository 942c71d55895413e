import { DocumentLabelEntity } from './entities/document-label.entity.js';
import { DocumentTextEntity } from './entities/document-text.entity.js';
import { SearchChangeEntity } from './entities/search-change.entity.js';
import { SearchChunkEntity } from './entities/search-chunk.entity.js';

export const SEARCH_TABLES = [
  DocumentLabelEntity,
  DocumentTextEntity,
  SearchChangeEntity,
  SearchChunkEntity,
];
