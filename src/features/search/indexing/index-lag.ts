import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Database, type Statement } from '../../../platform/database/database.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { Metrics } from '../../../platform/operation/metrics/metrics.js';

/** Documents that wait are counted up to so many. */
const MOST_COUNTED = 10_000;

const OF_ACCOUNT: Statement = {
  name: 'search.lag',
  text: `SELECT (SELECT count(*) FROM (SELECT FROM search_changes WHERE account_id = $1 LIMIT ${String(MOST_COUNTED + 1)}) AS change)::integer AS waiting,
                (SELECT count(*) FROM document_texts WHERE account_id = $1 AND title_only)::integer AS "titleOnly"`,
};

const OF_ALL: Statement = {
  name: 'search.lag-all',
  text: `SELECT coalesce(extract(epoch FROM now() - min(noted_at)), 0)::float AS seconds, count(*)::integer AS waiting,
                (SELECT count(*) FROM document_texts WHERE title_only)::integer AS "titleOnly" FROM search_changes`,
};

interface Lag {
  seconds: number;
  waiting: number;
  titleOnly: number;
}

/** How far the index of words is behind the documents, for answers and for the operator. */
@Injectable()
export class IndexLag {
  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    const read = async (): Promise<Lag | undefined> =>
      // The other metrics are read all the more when the database is away.
      (await database.read<Lag>(OF_ALL, []).catch(() => []))[0];
    const gauge = (name: string, help: string, of: keyof Lag) =>
      new Gauge({
        name,
        help,
        registers: [metrics.registry],
        async collect() {
          this.set((await read())?.[of] ?? NaN);
        },
      });
    gauge(
      'search_index_lag_seconds',
      'Age of the oldest change that is not in the index of words.',
      'seconds',
    );
    gauge(
      'search_index_changes_waiting',
      'Changes that are not in the index of words yet.',
      'waiting',
    );
    gauge(
      'search_documents_set_aside',
      'Documents that words find by their title only, because their content could not be indexed.',
      'titleOnly',
    );
  }

  /** What a search of an account leaves out for now. */
  async warnings(accountId: string): Promise<FieldProblem[]> {
    const [lag] = await this.database.read<Lag>(OF_ACCOUNT, [accountId]);
    const { waiting, titleOnly } = lag ?? { waiting: 0, titleOnly: 0 };
    const warnings: FieldProblem[] = [];
    if (waiting > 0) {
      const changes =
        waiting > MOST_COUNTED
          ? `more than ${String(MOST_COUNTED)} changes`
          : counted(waiting, 'change');
      warnings.push({
        field: 'q',
        issue: `does not know the last ${changes} yet; the index of words follows in a moment`,
      });
    }
    if (titleOnly > 0) {
      const issue = `does not look into the content of ${counted(titleOnly, 'document')}, which could not be indexed in time; filters and titles find them`;
      warnings.push({ field: 'q', issue });
    }
    return warnings;
  }
}

function counted(n: number, noun: string): string {
  return `${String(n)} ${noun}${n === 1 ? '' : 's'}`;
}
