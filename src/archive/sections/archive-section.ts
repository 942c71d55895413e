import type { Executor } from '../../database/database.js';
import type { RecordCounts } from '../archive-format.js';

/** One kind of thing that an archive holds. Both calls are in one transaction, which sees one state of the account. */
export interface ArchiveSection {
  count(executor: Executor, accountId: string): Promise<RecordCounts>;
  /** The lines of the records, each one JSON object without line breaks. */
  lines(executor: Executor, accountId: string): AsyncIterable<string>;
}
