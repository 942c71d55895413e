import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../auth/request-context.js';
import type { AppError, FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { aiSettingsWarnings } from '../../content/suggestion-level.js';
import type { StoredText } from '../../../platform/http/envelope/api-response.js';
import { RequestValidationPipe } from '../../../platform/http/envelope/request-validation.pipe.js';
import { DocumentChangesService } from '../changes/document-changes.service.js';
import { DocumentTrashService } from '../changes/document-trash.service.js';
import { DocumentsByExternalIdService } from '../changes/documents-by-external-id.service.js';
import type { PresentedDocument } from '../model/document-events.js';
import { contentReference } from '../model/document-response.js';
import { presentDocumentWithoutContent, wholeOf } from '../document.presenter.js';
import { FillBudget } from '../../templates/variables/fill-budget.js';
import { DocumentsService } from '../documents.service.js';
import {
  CreateDocumentDto,
  PatchDocumentDto,
  ReplaceDocumentDto,
} from '../dto/write-document.dto.js';
import { PublishingService } from '../publishing/publishing.service.js';
import { preconditionsOf, type BatchOperation } from './batch-operation.js';

/** Maximum length of all results of a batch, in UTF-16 code units of JSON. List pages with content have the same limit. */
const MAX_RESULTS = 8 * 1024 ** 2;

/** The result of one operation as JSON text, or its failure. */
export type BatchOutcome =
  | {
      status: 200 | 201;
      id: string;
      json: string;
      storedText?: StoredText;
      warnings?: readonly FieldProblem[];
    }
  | { failure: AppError };

/** State that the operations of one batch share. */
export class Batch {
  private lastTurn: Promise<void> = Promise.resolve();
  private capacity = MAX_RESULTS;
  readonly fillBudget = new FillBudget();

  constructor(readonly context: RequestContext) {}

  /**
   * Resolves in a turn of the event loop in which no other operation resumes. Plain `setImmediate` callbacks that wait
   * together all run in one turn, and a single operation with 1 MiB blocks the event loop for about 10 ms.
   */
  nextTurn(): Promise<void> {
    this.lastTurn = this.lastTurn.then(() => setImmediate());
    return this.lastTurn;
  }

  /** Presents a document. Omits its content once the results of the batch are too long. */
  present({ document, json: parts }: PresentedDocument): {
    id: string;
    json: string;
    storedText?: StoredText;
    warnings: FieldProblem[];
  } {
    const id = encodeId('document', document.id);
    const warnings = aiSettingsWarnings(document.aiSettings);
    const json = wholeOf(parts);
    if (json.length > this.capacity) {
      return { id, json: presentDocumentWithoutContent(document), warnings };
    }
    this.capacity -= json.length;
    return { id, json, storedText: contentReference(document), warnings };
  }
}

/** Runs one operation of a batch like a separate request. */
@Injectable()
export class BatchOperationsService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly byExternalId: DocumentsByExternalIdService,
    private readonly changes: DocumentChangesService,
    private readonly trash: DocumentTrashService,
    private readonly publishing: PublishingService,
    private readonly validation: RequestValidationPipe,
  ) {}

  /** Throws the errors of the corresponding request. */
  async run(operation: BatchOperation, batch: Batch): Promise<BatchOutcome> {
    const { context } = batch;
    switch (operation.op) {
      case 'create': {
        const body = await this.valid(CreateDocumentDto, operation.document);
        const { fillBudget: budget } = batch;
        const created = await this.documents.create(body, context, { budget });
        // Creates that shared a statement resume together.
        await batch.nextTurn();
        const presented = batch.present(created);
        return {
          status: 201,
          ...presented,
          warnings: [...created.warnings, ...presented.warnings],
        };
      }
      case 'update': {
        const target = { id: operation.id, preconditions: preconditionsOf(operation) };
        const patch = await this.valid(PatchDocumentDto, operation.patch);
        const changed = await this.changes.patch(target, patch, context);
        await batch.nextTurn();
        return { status: 200, ...batch.present(changed) };
      }
      case 'upsert': {
        const body = await this.valid(ReplaceDocumentDto, operation.document);
        const preconditions = preconditionsOf(operation);
        const put = await this.byExternalId.put(operation.externalId, body, preconditions, context);
        await batch.nextTurn();
        return { status: put.isNew ? 201 : 200, ...batch.present(put) };
      }
      case 'delete': {
        const { id, permanent = false } = operation;
        const target = { id, preconditions: preconditionsOf(operation) };
        const deleted = await this.trash.deleteAs(target, context, { permanent });
        return { status: 200, id, json: JSON.stringify(deleted) };
      }
      case 'restore': {
        const target = { id: operation.id, preconditions: preconditionsOf(operation) };
        const restored = await this.trash.restore(target, operation, context);
        await batch.nextTurn();
        return { status: 200, ...batch.present(restored) };
      }
      case 'publish': {
        const { id, version } = operation;
        const target = { id, preconditions: preconditionsOf(operation) };
        const request = version === undefined ? {} : { version };
        const options = { waits: false };
        const published = await this.publishing.publish(target, request, context, options);
        await batch.nextTurn();
        return { status: 200, ...batch.present(published) };
      }
      case 'unpublish': {
        const target = { id: operation.id, preconditions: preconditionsOf(operation) };
        const unpublished = await this.publishing.unpublish(target, context);
        await batch.nextTurn();
        return { status: 200, ...batch.present(unpublished) };
      }
    }
  }

  private async valid<Dto extends object>(
    metatype: new () => Dto,
    body: Record<string, unknown>,
  ): Promise<Dto> {
    return (await this.validation.transform(body, { type: 'body', metatype })) as Dto;
  }
}
