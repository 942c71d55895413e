import { Injectable } from '@nestjs/common';
import { insertAuditEntries, type AuditRow } from '../audit/audit-entry.js';
import { Coalescer, type CoalescerOptions, type Outcome } from '../database/coalescer.js';
import {
  Database,
  type Executor,
  type Statement,
  type TransactionContext,
} from '../database/database.js';
import { insertEvents, type EventRow } from '../events/outbox.js';
import {
  claimDocuments,
  claimRefused,
  claimRows,
  type ClaimOutcome,
  type DocumentClaim,
} from '../usage/document-claim.js';
import type { PresentedDocument } from './document-events.js';
import { INSERTED, INSERTED_VALUES, RECORD, toRow } from './document-row.js';
import { LimitedInserts } from './limited-inserts.js';
import { rowsWithContent } from './rows-with-content.js';

const givenDocuments = (placeholder: string) =>
  `SELECT * FROM json_to_recordset(${placeholder}::json) AS document (${RECORD})`;

const insertGiven = (condition = '') =>
  `INSERT INTO documents (${INSERTED}) SELECT ${INSERTED_VALUES} FROM given ${condition}`;

const CONTENTS = 'SELECT id, content FROM given';

const INSERT: Statement = {
  name: 'documents.insert',
  text: `WITH given AS MATERIALIZED (${givenDocuments('$1')}
    ), emitted AS (${insertEvents('$2', '', CONTENTS)}
    ), audited AS (${insertAuditEntries('$3')})
    ${insertGiven()}`,
};

const GRANTED = 'WHERE account_id = ANY (ARRAY(SELECT account_id FROM claimed WHERE granted))';

/** The same under the limits of plans. Documents come first, so that every statement locks its counters in one order. */
const INSERT_WITHIN_LIMITS: Statement = {
  name: 'documents.insert-within-limits',
  text: `WITH given AS MATERIALIZED (${givenDocuments('$1')}
    ), claimed AS MATERIALIZED (${claimDocuments('$4')}
    ), made AS (${insertGiven(GRANTED)}
    ), emitted AS (${insertEvents('$2', GRANTED, CONTENTS)}
    ), audited AS (${insertAuditEntries('$3', GRANTED)})
    SELECT * FROM claimed`,
};

/** A new document with what commits with it. */
export interface Creation extends PresentedDocument {
  event: EventRow;
  entry: AuditRow;
  /** The room it needs; null where the plan sets no limit. */
  claim: DocumentClaim | null;
}

type LimitedCreation = Creation & { claim: DocumentClaim };

/** Writes new documents. Those that arrive together share one statement, each with its own outcome. */
@Injectable()
export class DocumentInserts {
  private readonly unlimited: Coalescer<Creation, void>;
  private readonly limited: LimitedInserts<LimitedCreation>;

  constructor(database: Database) {
    const options: CoalescerOptions<Creation> = {
      maxBatch: 32,
      maxInFlight: 4,
      isolateFailures: true,
      weigh: ({ document, event }) => document.content.length + event.full_body.length,
    };
    this.unlimited = new Coalescer((batch) => insertAll(database, batch), options);
    this.limited = new LimitedInserts<LimitedCreation>(
      (batch, mayWait) => insertWithinLimits(database, batch, mayWait),
      options,
    );
  }

  /**
   * Writes the document, its event and its audit entry, or nothing; in the transaction of the request, if it has one.
   * Throws `forbidden` when the account has no room for it.
   */
  async insert(creation: Creation, { executor, caller }: TransactionContext): Promise<void> {
    if (!isLimited(creation)) {
      await (executor ? insertAll(executor, [creation]) : this.unlimited.submit(creation));
    } else if (executor) await insertOrRefuse(executor, creation);
    else await this.limited.submit(creation, caller);
  }
}

function isLimited(creation: Creation): creation is LimitedCreation {
  return creation.claim !== null;
}

async function insertAll(executor: Executor, batch: Creation[]): Promise<Outcome<void>[]> {
  await executor.run(INSERT, valuesOf(batch));
  return batch.map(() => ({ result: undefined }));
}

async function insertWithinLimits(
  executor: Executor,
  batch: LimitedCreation[],
  mayWait: boolean,
): Promise<ClaimOutcome[]> {
  const claims = batch.map(({ claim }) => claim);
  const rows = await executor.run<ClaimOutcome & { account_id: string }>(INSERT_WITHIN_LIMITS, [
    ...valuesOf(batch),
    claimRows(claims, mayWait),
  ]);
  const outcomes = new Map(rows.map((row) => [row.account_id, row]));
  return claims.map(({ accountId }) => outcomes.get(accountId) ?? NO_OUTCOME);
}

async function insertOrRefuse(executor: Executor, creation: LimitedCreation): Promise<void> {
  const [outcome] = await insertWithinLimits(executor, [creation], true);
  if (!outcome?.granted) throw claimRefused(creation.claim, outcome);
}

/** Each claim has one; this is for the compiler. */
const NO_OUTCOME: ClaimOutcome = { granted: false, documents_used: null, bytes_used: null };

function valuesOf(batch: Creation[]): (Buffer | string)[] {
  return [
    rowsWithContent(batch.map(({ document, json }) => [toRow(document), json.content])),
    JSON.stringify(batch.map(({ event }) => event)),
    JSON.stringify(batch.map(({ entry }) => entry)),
  ];
}
