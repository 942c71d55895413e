import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import type { RequestContext } from '../../auth/request-context.js';
import { Database } from '../../../platform/database/database.js';
import { AppError, invalidFields } from '../../../platform/basics/errors/app-error.js';
import { asUnavailable } from '../../../platform/basics/errors/database-error.js';
import { DocumentChangesService } from '../changes/document-changes.service.js';
import { findByExternalIds } from '../changes/external-ids.repository.js';
import {
  documentIdOf,
  externalIdsOf,
  isMalformed,
  subjectsOf,
  type AnyOperation,
} from './batch-operation.js';
import { Batch, BatchOperationsService, type BatchOutcome } from './batch-operations.service.js';

interface BatchRequest {
  operations: AnyOperation[];
  /** True if one failure undoes all operations. */
  atomic?: boolean;
}

/** Maximum number of concurrent operations; each has its document in memory. */
const MAX_AT_ONCE = 8;

/** Rolls back an atomic batch after a failed operation. */
class BatchRollback extends Error {
  constructor(readonly outcomes: BatchOutcome[]) {
    super('An operation of an atomic batch failed.');
  }
}

@Injectable()
export class BatchService {
  constructor(
    private readonly database: Database,
    private readonly operations: BatchOperationsService,
    private readonly changes: DocumentChangesService,
  ) {}

  /** Runs the operations of a batch and returns their outcomes in order. */
  async run(
    { operations, atomic }: BatchRequest,
    context: RequestContext,
  ): Promise<BatchOutcome[]> {
    return atomic ? this.all(operations, context) : this.each(operations, context);
  }

  /** Runs each operation in a separate transaction, in order per document and external id. Returns outcomes in order. */
  async each(
    operations: readonly AnyOperation[],
    context: RequestContext,
  ): Promise<BatchOutcome[]> {
    const batch = new Batch(context);
    // A request with an Idempotency-Key runs in one transaction, which executes one statement at a time.
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

  /** Runs all operations in one transaction, so that all or none take effect. */
  async all(operations: readonly AnyOperation[], context: RequestContext): Promise<BatchOutcome[]> {
    try {
      const inOneTransaction = async () => {
        await this.lock(operations, context);
        const outcomes = await this.inOrder(operations, new Batch(context), true);
        if (outcomes.some((outcome) => 'failure' in outcome)) throw new BatchRollback(outcomes);
        return outcomes;
      };
      const { caller, principal } = context;
      return await this.database.savepoint(inOneTransaction, caller, principal.accountId);
    } catch (error) {
      if (!(error instanceof BatchRollback)) throw error;
      const failed = error.outcomes.findIndex((outcome) => 'failure' in outcome);
      return operations.map((_, index) =>
        index === failed ? (error.outcomes[failed] as BatchOutcome) : { failure: notDone(failed) },
      );
    }
  }

  private async lock(operations: readonly AnyOperation[], context: RequestContext): Promise<void> {
    await this.changes.lockAccount(context);
    const holders = await this.holdersOf(operations, context);
    const named = operations.flatMap((operation) => documentIdOf(operation) ?? []);
    await this.changes.lock([...named, ...holders.values()], context);
  }

  /** Returns the UUIDs of the documents that have the external ids of the operations. */
  private holdersOf(
    operations: readonly AnyOperation[],
    { access }: RequestContext,
  ): Promise<Map<string, string>> {
    return findByExternalIds(this.database, access, externalIdsOf(operations));
  }

  private async inOrder(
    operations: readonly AnyOperation[],
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

  private async outcomeOf(operation: AnyOperation, batch: Batch): Promise<BatchOutcome> {
    if (isMalformed(operation)) return { failure: invalidFields(operation.problems) };
    // Operations that waited for the same statement would otherwise resume in one turn and block other requests.
    await batch.nextTurn();
    try {
      return await this.operations.run(operation, batch);
    } catch (error) {
      if (error instanceof AppError) return { failure: error };
      // If the database fails, the whole transaction fails. Separate operations each report the error.
      const unavailable = this.database.isInTransaction ? undefined : asUnavailable(error);
      if (!unavailable) throw error;
      return { failure: unavailable };
    }
  }
}

/** Returns the error of operations that were rolled back or skipped because another operation failed. */
function notDone(failed: number): AppError {
  return new AppError(
    'failed_dependency',
    `Not done, because operation ${String(failed)} failed and the batch is atomic.`,
    { failedOperation: failed },
  );
}
