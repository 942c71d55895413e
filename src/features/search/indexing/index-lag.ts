import { Injectable } from '@nestjs/common';
import type { Access } from '../../auth/access/access.js';
import { Database } from '../../../platform/database/database.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { accountLag, MAX_COUNTED_CHANGES, totalLag, type Lag } from './search-index.repository.js';
import { Metrics } from '../../../platform/operation/metrics.js';

/** The warning for callers that may not know how many documents there are. */
const INCOMPLETE: FieldProblem = {
  field: 'q',
  issue: 'does not include all changes yet; the search index is catching up',
};

/** Reports how far the search index is behind, as metrics and as warnings of searches. */
@Injectable()
export class IndexLag {
  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    // If the database is unavailable, the other metrics must still be readable.
    const read = () => totalLag(database).catch(() => undefined);
    const gauge = (name: string, help: string, value: keyof Lag) => {
      metrics.gauge({ name, help, read: async () => (await read())?.[value] ?? NaN });
    };
    gauge(
      'search_index_lag_seconds',
      'Age of the oldest change that is not in the search index.',
      'seconds',
    );
    gauge(
      'search_index_changes_waiting',
      'Changes that are not in the search index yet.',
      'waiting',
    );
    gauge(
      'search_documents_set_aside',
      'Documents that searches find only by title, because their content could not be indexed.',
      'titleOnly',
    );
  }

  /** Returns warnings about documents that searches cannot find yet. */
  async warnings(access: Access): Promise<FieldProblem[]> {
    const lag = await accountLag(this.database, access.accountId);
    const { waiting, titleOnly } = lag ?? { waiting: 0, titleOnly: 0 };
    if (!access.isWhole) return waiting + titleOnly > 0 ? [INCOMPLETE] : [];
    const warnings: FieldProblem[] = [];
    if (waiting > 0) {
      const changes =
        waiting > MAX_COUNTED_CHANGES
          ? `more than ${String(MAX_COUNTED_CHANGES)} changes`
          : counted(waiting, 'change');
      warnings.push({
        field: 'q',
        issue: `does not include the last ${changes} yet; the search index is catching up`,
      });
    }
    if (titleOnly > 0) {
      const issue = `does not search the content of ${counted(titleOnly, 'document')} that could not be indexed in time; use filters or titles`;
      warnings.push({ field: 'q', issue });
    }
    return warnings;
  }
}

function counted(n: number, noun: string): string {
  return `${String(n)} ${noun}${n === 1 ? '' : 's'}`;
}
