import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../access/auth/request-context.js';
import { Database } from '../../platform/database/database.js';
import {
  preconditionFailedOnAbsent,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { AppError, invalidFields, notFound } from '../../platform/basics/errors/app-error.js';
import { unavailable } from '../../platform/basics/errors/database-error.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { replacedFields } from './apply-patch.js';
import { DocumentChanges } from './document-changes.service.js';
import type { PresentedDocument } from './document-events.js';
import { DocumentsService } from './documents.service.js';
import { externalIdProblem } from '../content/text-fields.js';
import type { CreateDocumentDto, ReplaceDocumentDto } from './dto/write-document.dto.js';
import { findByExternalId, isExternalIdTaken } from './external-ids.js';

/** How often a PUT begins again because others make or take away the document meanwhile. */
const MAX_ATTEMPTS = 10;

/** What a PUT made: a document, or the next version of one. */
export interface PutDocument extends PresentedDocument {
  isNew: boolean;
}

/** Documents under the ids that their clients gave them. */
@Injectable()
export class DocumentsByExternalId {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentsService,
    private readonly changes: DocumentChanges,
  ) {}

  /** The public id of the document. Throws `not_found`. */
  async idOf(accountId: string, externalId: string): Promise<string> {
    const id = await findByExternalId(this.database, accountId, externalId);
    if (id === undefined) throw notFound('document');
    return encodeId('document', id);
  }

  /**
   * Replaces the document, or creates it where there is none; of several at once one creates it. Throws
   * `precondition_failed`, `bad_request` for an external id that is none or another one than the body's, and what
   * creating and changing a document throws.
   */
  async put(
    externalId: string,
    body: ReplaceDocumentDto,
    preconditions: Preconditions,
    context: RequestContext,
  ): Promise<PutDocument> {
    requireSame(externalId, body);
    const { accountId } = context.principal;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const id = await findByExternalId(this.database, accountId, externalId);
      const done =
        id === undefined
          ? await this.create(externalId, body, preconditions, context)
          : await this.replace(encodeId('document', id), externalId, body, preconditions, context);
      if (done) return done;
    }
    throw unavailable('contended');
  }

  /** `undefined` when another request has made it meanwhile. */
  private async create(
    externalId: string,
    body: ReplaceDocumentDto,
    preconditions: Preconditions,
    context: RequestContext,
  ): Promise<PutDocument | undefined> {
    if (preconditions.ifMatch !== undefined) throw preconditionFailedOnAbsent();
    if (body.status !== undefined && body.status !== 'draft') throw statusOfNew();
    try {
      return {
        ...(await this.documents.create(creationOf(externalId, body), context)),
        isNew: true,
      };
    } catch (error) {
      if (isExternalIdTaken(error)) return undefined;
      throw error;
    }
  }

  /** `undefined` when it was deleted, or got another external id, meanwhile. */
  private async replace(
    id: string,
    externalId: string,
    body: ReplaceDocumentDto,
    preconditions: Preconditions,
    context: RequestContext,
  ): Promise<PutDocument | undefined> {
    try {
      const changed = await this.changes.change({ id, preconditions }, context, {
        is: (document) => document.externalId === externalId,
        of: (document) => ({ ...replacedFields(document, body), externalId }),
      });
      return { ...changed, isNew: false };
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') return undefined;
      throw error;
    }
  }
}

/** Of the body only what a creation takes: it may carry what answers show. */
function creationOf(externalId: string, body: ReplaceDocumentDto): CreateDocumentDto {
  const { title, type, content, metadata, aiSettings } = body;
  return {
    title,
    externalId,
    ...(type !== undefined && { type }),
    ...(content !== undefined && { content }),
    ...(metadata !== undefined && { metadata }),
    ...(aiSettings !== undefined && { aiSettings }),
  };
}

function requireSame(externalId: string, body: ReplaceDocumentDto): void {
  const problem = externalIdProblem(externalId);
  if (problem !== undefined) throw invalidFields([{ field: 'externalId', issue: problem }]);
  if (body.externalId == null || body.externalId === externalId) return;
  throw invalidFields([
    {
      field: 'externalId',
      issue: 'is not the external id that the request names; leave it out, or change it with PATCH',
    },
  ]);
}

/** The answer to a document that is to begin in another status than others. */
export function statusOfNew(): AppError {
  return invalidFields([
    {
      field: 'status',
      issue: 'must be draft for a document that does not exist yet; change it with PATCH then',
    },
  ]);
}
