import {
  DocumentLabelEntity,
  DocumentTextEntity,
  PublicationTextEntity,
  SearchChangeEntity,
  SearchChunkEntity,
} from './entities/search.entities.js';

export const SEARCH_TABLES = [
  DocumentLabelEntity,
  DocumentTextEntity,
  PublicationTextEntity,
  SearchChangeEntity,
  SearchChunkEntity,
];
