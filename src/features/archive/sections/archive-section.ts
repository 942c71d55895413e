import type { Database } from '../../../platform/database/database.js';
import type { RecordCounts } from '../archive-format.js';

/** One kind of thing that an archive holds. Both calls are in one transaction, which sees one state of the account. */
export interface ArchiveSection {
  count(database: Database, accountId: string): Promise<RecordCounts>;
  /** The lines of the records, each one JSON object without line breaks. */
  lines(database: Database, accountId: string): AsyncIterable<string>;
}
