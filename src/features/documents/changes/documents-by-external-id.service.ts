import { Injectable } from '@nestjs/common';
import type { Access } from '../../auth/access/access.js';
import type { RequestContext } from '../../auth/request-context.js';
import { Database } from '../../../platform/database/database.js';
import {
  preconditionFailedOnAbsent,
  type Preconditions,
} from '../../../platform/http/envelope/preconditions.js';
import { AppError, invalidFields, notFound } from '../../../platform/basics/errors/app-error.js';
import { unavailable } from '../../../platform/basics/errors/database-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { DocumentChangesService } from './document-changes.service.js';
import type { PresentedDocument } from '../model/document-events.js';
import { DocumentsService } from '../documents.service.js';
import { externalIdProblem } from '../../content/text-fields.js';
import type { CreateDocumentDto, ReplaceDocumentDto } from '../dto/write-document.dto.js';
import { findByExternalId, isExternalIdTaken, namesHolder } from './external-ids.repository.js';

/** Attempts of a PUT while other requests create or delete the document. */
const MAX_ATTEMPTS = 10;

/** The document that a PUT created or changed. */
interface PutDocument extends PresentedDocument {
  isNew: boolean;
}

/** Finds, creates and replaces documents by the ids that clients assign. */
@Injectable()
export class DocumentsByExternalIdService {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentsService,
    private readonly changes: DocumentChangesService,
  ) {}

  /** Returns the public id of the document. Throws `not_found`. */
  async idOf(access: Access, externalId: string): Promise<string> {
    const id = await findByExternalId(this.database, access, externalId);
    if (id === undefined) throw notFound('document');
    return encodeId('document', id);
  }

  /**
   * Replaces the document, or creates it if it does not exist. Only one of several concurrent requests creates it. Throws
   * `precondition_failed`, `bad_request` for an invalid external id or one that differs from the body's, `conflict` if the
   * document is hidden from the caller, and the errors of creating and changing a document.
   */
  async put(
    externalId: string,
    body: ReplaceDocumentDto,
    preconditions: Preconditions,
    context: RequestContext,
  ): Promise<PutDocument> {
    requireSame(externalId, body);
    const { access } = context;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const id = await findByExternalId(this.database, access, externalId);
      const done =
        id === undefined
          ? await this.create(externalId, body, preconditions, context)
          : await this.replace(encodeId('document', id), externalId, body, preconditions, context);
      if (done) return done;
    }
    throw unavailable('contended');
  }

  /** Returns `undefined` if another request created it first. Throws `conflict` if it is hidden from the caller. */
  private async create(
    externalId: string,
    body: ReplaceDocumentDto,
    preconditions: Preconditions,
    context: RequestContext,
  ): Promise<PutDocument | undefined> {
    if (preconditions.ifMatch !== undefined) throw preconditionFailedOnAbsent();
    if (body.status !== undefined && body.status !== 'draft') throw statusOfNew();
    if (body.baseVersion !== undefined) throw baseOfNew();
    try {
      return {
        ...(await this.documents.create(creationOf(externalId, body), context)),
        isNew: true,
      };
    } catch (error) {
      const { isWhole } = context.access;
      if (isExternalIdTaken(error) && (isWhole || namesHolder(error))) return undefined;
      throw error;
    }
  }

  /** Returns `undefined` if it was deleted or got another external ID in the meantime. */
  private async replace(
    id: string,
    externalId: string,
    body: ReplaceDocumentDto,
    preconditions: Preconditions,
    context: RequestContext,
  ): Promise<PutDocument | undefined> {
    try {
      const changed = await this.changes.replace(
        { id, preconditions },
        { ...body, externalId },
        context,
        (document) => document.externalId === externalId,
      );
      return { ...changed, isNew: false };
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') return undefined;
      throw error;
    }
  }
}

/** Returns the fields that a creation accepts. The body may also contain read-only fields from a response. */
function creationOf(externalId: string, body: ReplaceDocumentDto): CreateDocumentDto {
  const { title, type, content, metadata, aiSettings, collectionId } = body;
  return {
    title,
    externalId,
    ...(type !== undefined && { type }),
    ...(content !== undefined && { content }),
    ...(metadata !== undefined && { metadata }),
    ...(aiSettings !== undefined && { aiSettings }),
    ...(collectionId !== undefined && { collectionId }),
  };
}

function requireSame(externalId: string, body: ReplaceDocumentDto): void {
  const problem = externalIdProblem(externalId);
  if (problem !== undefined) throw invalidFields([{ field: 'externalId', issue: problem }]);
  if (body.externalId == null || body.externalId === externalId) return;
  throw invalidFields([
    {
      field: 'externalId',
      issue: 'differs from the external id in the path; omit it, or change it with PATCH',
    },
  ]);
}

/** Returns the error for a base version of a document that does not exist. */
function baseOfNew(): AppError {
  return invalidFields([
    {
      field: 'baseVersion',
      issue: 'names a version of a document that does not exist; leave it out to create it',
    },
  ]);
}

/** Returns the error for creating a document that is not a draft. */
export function statusOfNew(): AppError {
  return invalidFields([
    {
      field: 'status',
      issue: 'must be draft when the document is created; change it with PATCH afterwards',
    },
  ]);
}
