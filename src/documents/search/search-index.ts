import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { runningTime } from '../../clock/time-limit.js';
import { Database, type Statement } from '../../database/database.js';
import { AppError, invalidFields, type FieldProblem } from '../../errors/app-error.js';
import { IndexSteps } from './index-steps.js';
import { UnsearchableDocuments } from './unsearchable-documents.js';
import { loosened, type SearchRequest } from './search-request.js';

/** SQLSTATE that the database functions raise when too many documents wait. */
const INDEX_BEHIND = 'SB001';
/** The same when a search would have to read too many texts. */
const TOO_COMMON = 'SB002';
/** How long a reader waits for the index. */
const PATIENCE_MS = 5_000;
/** How long it lets another process go on with it before it looks again. */
const OTHERS_MS = 50;

/** An account with documents that changed since they were last put into the index. */
const DUE: Statement = {
  name: 'documents.index-due',
  text: `SELECT account_id AS id FROM search_changes GROUP BY account_id
         HAVING count(*) >= $1::bigint OR min(noted_at) NOT BETWEEN now() - make_interval(secs => $2) AND now()
          ORDER BY min(noted_at)`,
};

/** From so many blocks on an account has its orders in the index; smaller ones are walked through soon enough. */
const ORDERED_BLOCKS = 7;
/** Changed documents of a block come into the orders together; until then readers look at them one by one. */
const SLICED_TOGETHER = 128;

const LARGE: Statement = {
  name: 'documents.index-large',
  text: 'SELECT account_id AS id FROM search_blocks GROUP BY account_id HAVING count(*) >= $1',
};

const UPDATE_ORDERS: Statement = {
  name: 'documents.index-orders',
  text: 'SELECT search_update_orders($1::uuid, $2::integer, $3::integer) AS more',
};

/** What a search found, and what is to be said of it. */
export interface Searched<Found> {
  found: Found;
  warnings: readonly FieldProblem[];
}

const PARTS_ONLY: FieldProblem = {
  field: 'q',
  issue:
    'has a phrase, or a stretch of characters, whose parts stand in too many documents to look into each; found is what has all of its parts, wherever they stand',
};

/**
 * The index that searches and filters read, kept by the database (docs/adr/0022-search-and-filters.md). Writing a
 * document notes that it changed; here the index follows. Until then lists look at the noted documents themselves.
 */
@Injectable()
export class SearchIndex {
  private readonly steps = new Map<string, Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly indexSteps: IndexSteps,
    private readonly unsearchable: UnsearchableDocuments,
  ) {}

  /**
   * What `find` finds for a request; while the index is too far behind, brings it up to date, step by step. Where a
   * phrase would have to be looked for in too many texts, what has all of its parts, with a warning. Rejects with
   * `unavailable`, and with `bad_request` where what must not be there would have to be looked for in too many texts.
   */
  async search<Found>(
    accountId: string,
    request: SearchRequest,
    find: (request: SearchRequest) => Promise<Found>,
  ): Promise<Searched<Found>> {
    const searched = await this.exactly(accountId, request, find);
    if (request.groups === undefined) return searched;
    const unread = await this.unsearchable.warnings(accountId);
    return { ...searched, warnings: [...searched.warnings, ...unread] };
  }

  /** Reads; when the index is too far behind, does something else instead. */
  async readOrElse<Result>(
    read: () => Promise<Result>,
    otherwise: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      if (codeOf(error) === INDEX_BEHIND) return otherwise();
      throw error;
    }
  }

  /** Accounts with so many documents that wait, or one that has waited so many seconds; the longest first. */
  async accountsBehind(documents: number, seconds: number): Promise<string[]> {
    const due = await this.database.run<{ id: string }>(DUE, [documents, seconds]);
    return due.map(({ id }) => id);
  }

  /** Accounts that are large enough to have their orders in the index. */
  async largeAccounts(): Promise<string[]> {
    const large = await this.database.run<{ id: string }>(LARGE, [ORDERED_BLOCKS]);
    return large.map(({ id }) => id);
  }

  /** One step of bringing the orders of an account up to date, of a tenth of a second; whether there may be more. */
  async updateOrders(accountId: string): Promise<boolean> {
    const values = [accountId, ORDERED_BLOCKS, SLICED_TOGETHER];
    const [row] = await this.database.run<{ more: boolean }>(UPDATE_ORDERS, values);
    return row?.more ?? false;
  }

  private async exactly<Found>(
    accountId: string,
    request: SearchRequest,
    find: (request: SearchRequest) => Promise<Found>,
  ): Promise<Searched<Found>> {
    try {
      return { found: await this.upToDate(accountId, () => find(request)), warnings: [] };
    } catch (error) {
      if (codeOf(error) !== TOO_COMMON) throw error;
    }
    try {
      const found = await this.upToDate(accountId, () => find(loosened(request)));
      return { found, warnings: [PARTS_ONLY] };
    } catch (error) {
      throw codeOf(error) === TOO_COMMON ? tooCommon() : error;
    }
  }

  private async upToDate<Result>(accountId: string, read: () => Promise<Result>): Promise<Result> {
    const deadline = runningTime() + PATIENCE_MS;
    for (;;) {
      try {
        return await read();
      } catch (error) {
        if (codeOf(error) !== INDEX_BEHIND) throw error;
        if (runningTime() > deadline) throw behind();
        await this.sharedStep(accountId);
      }
    }
  }

  /** Readers of an account wait together. */
  private sharedStep(accountId: string): Promise<void> {
    const running = this.steps.get(accountId);
    if (running) return running;
    const started = this.step(accountId).finally(() => {
      this.steps.delete(accountId);
    });
    this.steps.set(accountId, started);
    return started;
  }

  private async step(accountId: string): Promise<void> {
    if ((await this.indexSteps.take(accountId)) === 'busy') await wait(OTHERS_MS);
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

function tooCommon(): AppError {
  return invalidFields([
    {
      field: 'q',
      issue:
        'excludes a phrase, or a stretch of characters, whose parts stand in too many documents to look into each; add a rarer word or a filter',
    },
  ]);
}

function behind(): AppError {
  return new AppError(
    'unavailable',
    'Many documents of this account are being put into the search index. Try again shortly.',
    undefined,
    { retryAfterSeconds: 5 },
  );
}
