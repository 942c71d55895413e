import { revealMembers } from '../../../platform/http/envelope/json-text.js';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import type { RequestContext } from '../../access/auth/request-context.js';
import { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { asUnavailable } from '../../../platform/basics/errors/database-error.js';
import { decodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { DocumentChanges } from '../document-changes.service.js';
import { findByExternalIds } from '../external-ids.js';
import { externalIdsOf, subjectsOf, type BatchOperation } from './batch-operation.js';
import { BatchOperations, type Batch, type BatchOutcome } from './batch-operations.service.js';
import { ResultTexts } from './result-texts.js';
import { Turns } from './turns.js';

interface BatchRequest {
  operations: BatchOperation[];
  /** True if one failure undoes all operations. */
  atomic?: boolean;
}

/** Operations that are under way at once: each holds its document in memory. */
const MAX_AT_ONCE = 8;

/** Ends a transaction of which one operation failed. */
class Undone extends Error {
  constructor(readonly outcomes: BatchOutcome[]) {
    super('An operation of an atomic batch failed.');
  }
}

/** Does many operations of one request, each as if it had come alone. */
@Injectable()
export class DocumentBatch {
  constructor(
    private readonly database: Database,
    private readonly operations: BatchOperations,
    private readonly changes: DocumentChanges,
  ) {}

  /** Runs the operations of a batch and returns their outcomes in order. */
  async run(
    { operations, atomic }: BatchRequest,
    context: RequestContext,
  ): Promise<BatchOutcome[]> {
    revealMembers(operations);
    return atomic ? this.all(operations, context) : this.each(operations, context);
  }

  /** Each operation in a transaction of its own; those on one document or external id in their order. Outcomes stand in order. */
  async each(
    operations: readonly BatchOperation[],
    context: RequestContext,
  ): Promise<BatchOutcome[]> {
    const batch = { context, results: new ResultTexts(), turns: new Turns() };
    // A request with an Idempotency-Key has one transaction, in which only one statement runs at a time.
    if (this.database.isInTransaction) {
      await this.lock(operations, context);
      return this.inOrder(operations, batch);
    }
    const limit = pLimit(MAX_AT_ONCE);
    const holders = await this.holdersOf(operations, context);
    const last = new Map<string, Promise<BatchOutcome>>();
    const outcomes = operations.map((operation) => {
      const subjects = subjectsOf(operation, holders);
      const earlier = subjects.flatMap((subject) => last.get(subject) ?? []);
      const run = () => limit(() => this.outcomeOf(operation, batch));
      const outcome = earlier.length === 0 ? run() : Promise.all(earlier).then(run);
      for (const subject of subjects) last.set(subject, outcome);
      return outcome;
    });
    return Promise.all(outcomes);
  }

  /** All operations in one transaction: when one fails, none is done. */
  async all(
    operations: readonly BatchOperation[],
    context: RequestContext,
  ): Promise<BatchOutcome[]> {
    try {
      const inOneTransaction = async () => {
        await this.lock(operations, context);
        const outcomes = await this.inOrder(
          operations,
          { context, results: new ResultTexts(), turns: new Turns() },
          true,
        );
        if (outcomes.some((outcome) => 'failure' in outcome)) throw new Undone(outcomes);
        return outcomes;
      };
      const { caller, principal } = context;
      return await this.database.savepoint(inOneTransaction, caller, principal.accountId);
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
      const failed = error.outcomes.findIndex((outcome) => 'failure' in outcome);
      return operations.map((_, index) =>
        index === failed ? (error.outcomes[failed] as BatchOutcome) : { failure: notDone(failed) },
      );
    }
  }

  private async lock(
    operations: readonly BatchOperation[],
    context: RequestContext,
  ): Promise<void> {
    await this.changes.lockAccount(context);
    const holders = await this.holdersOf(operations, context);
    const named = operations.flatMap((operation) =>
      'id' in operation ? (decodeId('document', operation.id) ?? []) : [],
    );
    await this.changes.lock([...named, ...holders.values()], context);
  }

  /** The documents that have the external ids of the operations. */
  private holdersOf(
    operations: readonly BatchOperation[],
    { principal: { accountId } }: RequestContext,
  ): Promise<Map<string, string>> {
    return findByExternalIds(this.database, accountId, externalIdsOf(operations));
  }

  private async inOrder(
    operations: readonly BatchOperation[],
    batch: Batch,
    untilFailure = false,
  ): Promise<BatchOutcome[]> {
    const outcomes: BatchOutcome[] = [];
    for (const operation of operations) {
      const outcome = await this.outcomeOf(operation, batch);
      outcomes.push(outcome);
      if (untilFailure && 'failure' in outcome) break;
    }
    return outcomes;
  }

  private async outcomeOf(operation: BatchOperation, batch: Batch): Promise<BatchOutcome> {
    // Operations that a statement has held up together would go on together: other requests come in between.
    await batch.turns.next();
    try {
      return await this.operations.run(operation, batch);
    } catch (error) {
      if (error instanceof AppError) return { failure: error };
      // Without its database a transaction is lost as a whole; by itself each operation says how it ended.
      const unavailable = this.database.isInTransaction ? undefined : asUnavailable(error);
      if (!unavailable) throw error;
      return { failure: unavailable };
    }
  }
}

/** The failure of the operations that would have been done, had not another one failed. */
function notDone(failed: number): AppError {
  return new AppError(
    'failed_dependency',
    `Not done, because operation ${String(failed)} failed and the batch is atomic.`,
    { failedOperation: failed },
  );
}
