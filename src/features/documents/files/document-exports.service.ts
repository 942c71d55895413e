import { Injectable } from '@nestjs/common';
import { MEDIA_TYPES } from '@document-service/conversion/formats';
import type { Response } from 'express';
import { isBrowserToken } from '../../auth/principal.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import type { RequestContext } from '../../auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { setCacheControl } from '../../../platform/http/envelope/cache-control.js';
import { isUnchanged } from '../../../platform/http/envelope/preconditions.js';
import { successEnvelope } from '../../../platform/http/envelope/envelope.js';
import { fileNameOf, setFileName } from '../../../platform/http/file-name.js';
import { JobQueue } from '../../jobs/queue/job-queue.js';
import { jobPath, presentJob } from '../../jobs/job.presenter.js';
import type { Job } from '../../jobs/job.js';
import { DocumentsService } from '../documents.service.js';
import { ConverterService } from './converter.service.js';
import { cacheControlOf, readsPublished } from '../publishing/perspective.js';
import { requireScope } from '../../auth/guards/scope.guard.js';
import type { ExportDocumentDto } from './dto/document-file.dto.js';
import { DOCUMENT_EXPORT } from './document-export.js';

/** Responds to requests that export a document. */
@Injectable()
export class DocumentExportsService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly converter: ConverterService,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Responds with the file, with 304 if the client already has it, or with a job if the document is large. Throws
   * `not_found`, and `forbidden` for a browser token or who reads only published versions, if the document is large: they
   * cannot read jobs.
   */
  async respond(
    id: string,
    { format, version }: ExportDocumentDto,
    context: RequestContext,
    response: Response,
  ): Promise<void> {
    const { access, principal } = context;
    const publication = readsPublished(principal, version !== undefined)
      ? await this.documents.findPublished(access, id)
      : undefined;
    const document = publication?.document ?? (await this.documents.find(access, id));
    // Weak, because two exports of a version have the same content but different bytes.
    const number = publication ? `;p${String(publication.number)}` : '';
    const etag = `W/"${String(document.version)}${number}-${format}"`;
    if (publication) setCacheControl(response, cacheControlOf(publication));
    if (isUnchanged(response.req, etag)) {
      response.status(304).setHeader('ETag', etag).end();
      return;
    }
    if (this.converter.isLarge(document, format)) {
      if (isBrowserToken(principal)) throw tooLargeForBrowsers();
      // Who reads only published versions cannot read jobs.
      requireScope(principal, 'documents:read');
      const input = { documentId: document.id, version: document.version, format };
      const job = await this.jobs.addOnce({ kind: DOCUMENT_EXPORT, input }, context);
      this.accept(job, response);
      return;
    }
    response.setHeader('ETag', etag);
    const file = await this.converter.export(access.accountId, document, format);
    setFileName(response, fileNameOf(document.title, format));
    response.setHeader('Content-Type', MEDIA_TYPES[format]);
    response.setHeader('Content-Length', file.length);
    response.end(file);
  }

  /** Writes the envelope, which this route otherwise omits. */
  private accept(job: Job, response: Response): void {
    response.status(202).setHeader('Location', jobPath(job));
    response.setHeader('Retry-After', '1');
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const { requestId } = response.req;
    response.end(successEnvelope(JSON.stringify(presentJob(job)), requestId, this.clock.now()));
  }
}

/** Returns the error for the export of a large document with a browser token. */
export function tooLargeForBrowsers(): AppError {
  return new AppError(
    'forbidden',
    'This document is too large to export with a browser token, because the export runs as a job. Export it from your server, with an API key.',
  );
}
