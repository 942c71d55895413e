import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/auth/request-context.js';
import type { KeptText } from '../../../platform/http/envelope/api-response.js';
import { RequestValidationPipe } from '../../../platform/http/envelope/validation.pipe.js';
import type { AppError, FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { patchedFields } from '../apply-patch.js';
import { DocumentChanges } from '../document-changes.service.js';
import { DocumentTrash } from '../document-trash.service.js';
import { deletedForNow } from '../document.presenter.js';
import { DocumentsByExternalId } from '../documents-by-external-id.service.js';
import { DocumentsService } from '../documents.service.js';
import {
  CreateDocumentDto,
  PatchDocumentDto,
  ReplaceDocumentDto,
} from '../dto/write-document.dto.js';
import { preconditionsOf, type BatchOperation } from './batch-operation.js';
import type { ResultTexts } from './result-texts.js';
import type { Turns } from './turns.js';

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

/** What the operations of one batch share. */
export interface Batch {
  context: RequestContext;
  results: ResultTexts;
  /** Each operation begins and ends in a turn of its own: with 1 MiB both take some ten milliseconds. */
  turns: Turns;
}

/** Does one operation of a batch as if it were a request of its own. */
@Injectable()
export class BatchOperations {
  constructor(
    private readonly documents: DocumentsService,
    private readonly byExternalId: DocumentsByExternalId,
    private readonly changes: DocumentChanges,
    private readonly trash: DocumentTrash,
    private readonly validation: RequestValidationPipe,
  ) {}

  /** Throws what the operation's own request would throw. */
  async run(operation: BatchOperation, { context, results, turns }: Batch): Promise<BatchOutcome> {
    switch (operation.op) {
      case 'create': {
        const body = this.valid(CreateDocumentDto, operation.document);
        const created = await this.documents.create(body, context);
        // Creations that one statement made go on together.
        await turns.next();
        return { status: 201, ...results.of(created), warnings: created.warnings };
      }
      case 'update': {
        const target = { id: operation.id, preconditions: preconditionsOf(operation) };
        const patch = this.valid(PatchDocumentDto, operation.patch);
        const changed = await this.changes.change(target, context, {
          of: (document) => patchedFields(document, patch),
        });
        await turns.next();
        return { status: 200, ...results.of(changed) };
      }
      case 'upsert': {
        const body = this.valid(ReplaceDocumentDto, operation.document);
        const preconditions = preconditionsOf(operation);
        const put = await this.byExternalId.put(operation.externalId, body, preconditions, context);
        await turns.next();
        return { status: put.isNew ? 201 : 200, ...results.of(put) };
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
    return this.validation.transform(body, { type: 'body', metatype }) as Dto;
  }
}
