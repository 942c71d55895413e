import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Database, type Statement } from '../../database/database.js';
import type { FieldProblem } from '../../errors/app-error.js';
import { Metrics } from '../../metrics/metrics.js';

const OF_ACCOUNT: Statement = {
  name: 'documents.unsearchable',
  text: 'SELECT count(*)::integer AS n FROM unsearchable_documents WHERE account_id = $1',
};

const OF_ALL: Statement = {
  name: 'documents.unsearchable-all',
  text: 'SELECT count(*)::integer AS n FROM unsearchable_documents',
};

/** Documents that were set aside because they could not be put into the search index. */
@Injectable()
export class UnsearchableDocuments {
  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    const count = () => this.count(OF_ALL, []);
    new Gauge({
      name: 'search_documents_set_aside',
      help: 'Documents that could not be put into the search index: found by title and filters only.',
      registers: [metrics.registry],
      async collect() {
        // The other metrics are read all the more when the database is away.
        this.set(await count().catch(() => NaN));
      },
    });
  }

  /** What an answer to a search says of the documents of an account that were set aside. */
  async warnings(accountId: string): Promise<FieldProblem[]> {
    const n = await this.count(OF_ACCOUNT, [accountId]);
    if (n === 0) return [];
    const documents = n === 1 ? '1 document' : `${String(n)} documents`;
    return [
      {
        field: 'q',
        issue: `does not look into the content of ${documents}, which could not be put into the search index in time; filters and titles find them`,
      },
    ];
  }

  private async count(statement: Statement, values: unknown[]): Promise<number> {
    const [row] = await this.database.run<{ n: number }>(statement, values);
    return row?.n ?? 0;
  }
}
