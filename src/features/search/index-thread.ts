import { threadTask } from '../../platform/threads/thread-task.js';
import { indexEntry, type Indexed, type SearchedDocument } from './index-entry.js';

/** Returns the index entry of each document, as JSON text. */
export default threadTask(
  ({ documents, what }: { documents: SearchedDocument[]; what: Indexed }): string[] =>
    documents.map((document) => indexEntry(document, what)),
);
