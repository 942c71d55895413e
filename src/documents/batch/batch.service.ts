import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import type { RequestContext } from '../../auth/request-context.js';
import { Database } from '../../database/database.js';
import type { KeptText } from '../../envelope/api-response.js';
import { revealMembers } from '../../envelope/json-text.js';
import { RequestValidationPipe } from '../../envelope/validation.pipe.js';
import { AppError, type FieldProblem } from '../../errors/app-error.js';
import { asUnavailable } from '../../errors/database-error.js';
import { decodeId } from '../../identifiers/identifiers.js';
import { DocumentChanges } from '../document-changes.service.js';
import { DocumentTrash } from '../document-trash.service.js';
import { deletedForNow } from '../document.presenter.js';
import { DocumentsService } from '../documents.service.js';
import { CreateDocumentDto } from '../dto/write-document.dto.js';
import { PatchDocumentDto } from '../dto/write-document.dto.js';
import { patchedFields } from '../apply-patch.js';
import { preconditionsOf, type BatchOperation } from './batch-operation.js';
import { ResultTexts } from './result-texts.js';

/** How one operation ended: JSON text of its data, or its failure. */
export type BatchOutcome =
  | {
      status: 200 | 201;
      id: string;
      json: string;
      keptText?: KeptText;
      warnings?: readonly FieldProblem[];
    }
  | { failure: AppError };

/** Operations that are under way at once: each holds its document in memory. */
const MAX_AT_ONCE = 8;

/** What the operations of one batch share. */
interface Batch {
  context: RequestContext;
  results: ResultTexts;
}

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
    private readonly documents: DocumentsService,
    private readonly changes: DocumentChanges,
    private readonly trash: DocumentTrash,
    private readonly validation: RequestValidationPipe,
  ) {}

  /** Each operation in a transaction of its own; those on one document in their order. Outcomes stand in order. */
  async each(
    operations: readonly BatchOperation[],
    context: RequestContext,
  ): Promise<BatchOutcome[]> {
    const batch = { context, results: new ResultTexts() };
    // A request with an Idempotency-Key has one transaction, in which only one statement runs at a time.
    if (this.database.isInTransaction) {
      await this.lock(operations, context);
      return this.inOrder(operations, batch);
    }
    const limit = pLimit(MAX_AT_ONCE);
    const chains = new Map<string, Promise<BatchOutcome>>();
    const outcomes = operations.map((operation, index) => {
      const key = operation.op === 'create' ? `new ${String(index)}` : operation.id;
      const run = () => limit(() => this.outcomeOf(operation, batch));
      const outcome = chains.get(key)?.then(run) ?? run();
      chains.set(key, outcome);
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
          { context, results: new ResultTexts() },
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
    const ids = operations.flatMap((operation) =>
      operation.op === 'create' ? [] : (decodeId('document', operation.id) ?? []),
    );
    await this.changes.lock(ids, context);
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
    await setImmediate();
    try {
      return await this.run(operation, batch);
    } catch (error) {
      if (error instanceof AppError) return { failure: error };
      // Without its database a transaction is lost as a whole; by itself each operation says how it ended.
      const unavailable = this.database.isInTransaction ? undefined : asUnavailable(error);
      if (!unavailable) throw error;
      return { failure: unavailable };
    }
  }

  private async run(operation: BatchOperation, { context, results }: Batch): Promise<BatchOutcome> {
    revealMembers(operation);
    switch (operation.op) {
      case 'create': {
        const body = this.valid(CreateDocumentDto, operation.document);
        const created = await this.documents.create(body, context);
        return { status: 201, ...results.of(created), warnings: created.warnings };
      }
      case 'update': {
        const target = { id: operation.id, preconditions: preconditionsOf(operation) };
        const patch = this.valid(PatchDocumentDto, operation.patch);
        const changed = await this.changes.change(target, context, {
          of: (document) => patchedFields(document, patch),
        });
        return { status: 200, ...results.of(changed) };
      }
      case 'delete': {
        const { id } = operation;
        const target = { id, preconditions: preconditionsOf(operation) };
        const until = await this.trash.delete(target, context);
        return { status: 200, id, json: JSON.stringify(deletedForNow(id, until)) };
      }
    }
  }

  private valid<Dto extends object>(metatype: new () => Dto, body: Record<string, unknown>): Dto {
    revealMembers(body);
    return this.validation.transform(body, { type: 'body', metatype }) as Dto;
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
