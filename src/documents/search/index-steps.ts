import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database/database.js';
import { Log } from '../../log/log.js';

/** Documents of a step, unless an earlier one failed; a step also stops after 512 KiB of text. */
const MOST = 2_000;
/** A step that failed is tried again with so much less; one that did not lets the next have so much more. */
const FACTOR = 8;
/** Time of a step: nobody waits longer for the work of others. */
const STEP_MS = 5_000;

/**
 * SQLSTATEs by which PostgreSQL refuses the work itself, such as a statement that takes too long; all others say that it
 * is away or busy, which is no fault of a document.
 */
const REFUSED = /^(?:57014|(?:2[12]|39|54|P0|XX)...)$/;
const TOOK_TOO_LONG = '57014';

const LIMIT: Statement = {
  name: 'documents.index-limit',
  text: `SELECT set_config('statement_timeout', $1, true)`,
};

/** -1 when another process is at it. */
const UPDATE: Statement = {
  name: 'documents.index',
  text: 'SELECT search_update($1::uuid, $2::integer, false) AS done',
};

const WAITING: Statement = {
  name: 'documents.index-waiting',
  text: `SELECT count(*)::integer AS documents, (array_agg(document_id ORDER BY id))[1] AS oldest
           FROM (SELECT * FROM search_changes WHERE account_id = $1 ORDER BY id LIMIT $2::integer) AS change`,
};

const SET_ASIDE: Statement = {
  name: 'documents.index-set-aside',
  text: 'SELECT search_set_aside($1::uuid, $2::uuid, $3) AS done',
};

/** `more` when another step may be worth it, `busy` when another process is at it. */
export type StepResult = 'done' | 'more' | 'busy';

/**
 * Takes the search index of an account forward, a bounded step at a time. Each one makes progress: it puts documents into
 * the index, or makes the next one smaller, or sets the one document aside that cannot be put there.
 */
@Injectable()
export class IndexSteps {
  /** Documents of the next step, by account, where that is less than usual. */
  private readonly smaller = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Rejects when the database is away. */
  async take(accountId: string): Promise<StepResult> {
    const most = this.smaller.get(accountId) ?? MOST;
    const { documents, oldest } = await this.waiting(accountId, most);
    if (oldest === null) return 'done';
    try {
      const done = await this.limited<number>(UPDATE, [accountId, documents]);
      if (done < 0) return 'busy';
      this.nextTakes(accountId, most * FACTOR);
      return 'more';
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (documents === 1) await this.setAside(accountId, oldest, reasonOf(error));
      else this.nextTakes(accountId, Math.ceil(documents / FACTOR));
      return 'more';
    }
  }

  private async setAside(accountId: string, documentId: string, reason: string): Promise<void> {
    if (!(await this.limited<boolean>(SET_ASIDE, [accountId, documentId, reason]))) return;
    this.log.warn(
      { accountId, documentId, reason },
      'A document could not be put into the search index and is set aside: searches find it by its title and filters until it changes.',
    );
  }

  private nextTakes(accountId: string, documents: number): void {
    if (documents < MOST) this.smaller.set(accountId, documents);
    else this.smaller.delete(accountId);
  }

  private async waiting(
    accountId: string,
    most: number,
  ): Promise<{ documents: number; oldest: string | null }> {
    const [row] = await this.database.run<{ documents: number; oldest: string | null }>(WAITING, [
      accountId,
      most,
    ]);
    return row ?? { documents: 0, oldest: null };
  }

  /** What a statement answers as `done`, if it does in time. */
  private limited<Done>(statement: Statement, values: unknown[]): Promise<Done | 0> {
    return this.database.transaction(async (executor) => {
      await executor.run(LIMIT, [String(STEP_MS)]);
      const [row] = await executor.run<{ done: Done }>(statement, values);
      return row?.done ?? 0;
    });
  }
}

/** Whether PostgreSQL refused the work, rather than being away. */
export function isRefused(error: unknown): error is { code: string } {
  return REFUSED.test(String((error as { code?: unknown }).code));
}

/** PostgreSQL's own message may tell what is in the document. */
function reasonOf({ code }: { code: string }): string {
  return code === TOOK_TOO_LONG
    ? `Its words took longer than ${String(STEP_MS / 1000)} s.`
    : `PostgreSQL refused it (SQLSTATE ${code}).`;
}
