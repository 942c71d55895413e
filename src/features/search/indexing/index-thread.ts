import { threadTask } from '../../../platform/threads/thread-task.js';
import {
  indexEntry,
  type Indexed,
  type SearchedDocument,
  type SearchedFields,
} from './index-entry.js';

/** Returns the index entry of each document, as JSON text. */
export default threadTask(
  (task: { documents: SearchedDocument[]; what: Indexed; fields: SearchedFields }): string[] =>
    task.documents.map((document) => indexEntry(document, task.what, task.fields)),
);
