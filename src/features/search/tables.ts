import {
  DocumentLabelEntity,
  DocumentTextEntity,
  SearchChangeEntity,
  SearchChunkEntity,
} from './entities/search.entities.js';

export const SEARCH_TABLES = [
  DocumentLabelEntity,
  DocumentTextEntity,
  SearchChangeEntity,
  SearchChunkEntity,
];
