import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentContext, RequireScope } from '../../access/auth/authentication.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Converter } from './conversion/converter.js';
import { MEDIA_TYPES } from '@document-service/conversion/formats';
import type { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { successEnvelope } from '../../../platform/http/envelope/envelope.js';
import { BodyReadBy } from '../../../platform/http/envelope/body-readers.js';
import { isUnchanged } from '../../../platform/http/envelope/entity-tags.js';
import { JobDto } from '../../jobs/dto/job.dto.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { jobPath, presentJob } from '../../jobs/job.presenter.js';
import type { Job } from '../../jobs/job.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { headers } from '../../../platform/openapi/headers.js';
import { Refuses, WithoutEnvelope } from '../../../platform/openapi/route-decorators.js';
import { documentResponse } from '../document-response.js';
import { DocumentsService } from '../documents.service.js';
import { CreateDocumentDto } from '../dto/write-document.dto.js';
import { DocumentDto } from '../dto/document.dto.js';
import { ExportDocumentDto, EXPORTED_FILES } from './dto/export-document.dto.js';
import { ImportDocumentDto } from './dto/import-document.dto.js';
import { DOCUMENT_EXPORT } from './document-export.js';
import { fileNameOf } from './file-name.js';
import { ImportBodyReader } from './import-body-reader.js';
import { FILES } from '../documents.refusals.js';

@ApiTags('documents')
@Controller('documents')
export class DocumentFilesController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly converter: Converter,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  @Post('import')
  @RequireScope('documents:write')
  @BodyReadBy(ImportBodyReader)
  @ApiOperation({
    operationId: 'importDocument',
    summary: 'Create a document from a file',
    description:
      'From Markdown, HTML or DOCX; the content becomes Markdown. Title, type and metadata stand in the front matter of a Markdown file. What Markdown cannot hold, such as pictures within the file, is left out with a warning. Emits `document.created`.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: ImportDocumentDto })
  @ApiCreatedResponse({
    type: DocumentDto,
    description: 'The document as it was stored.',
    headers: headers('ETag'),
  })
  @Refuses(FILES.import)
  async import(
    @CurrentContext() context: RequestContext,
    @Req() { importWarnings = [], importedFrom }: Request,
    @Body() body: CreateDocumentDto,
  ): Promise<ApiResponse> {
    const created = await this.documents.create(body, context, {
      action: 'document.import',
      details: { ...importedFrom },
    });
    const location = `/v1/documents/${encodeId('document', created.document.id)}`;
    return documentResponse(created, { location, warnings: importWarnings });
  }

  @Get(':id/export')
  @RequireScope('documents:read')
  @WithoutEnvelope()
  @ApiOperation({
    operationId: 'exportDocument',
    summary: 'Export a document as a file',
    description:
      'The answer is the file itself, not in the envelope; failures are in the envelope. Images are never fetched: they go out as links. A DOCX of more than 256 KiB of content and a PDF of more than 64 KiB are made in the background: the answer is 202 with a job, in the envelope.',
  })
  @ApiOkResponse({
    description: 'The file, named after the title.',
    headers: headers('ETag', 'Content-Disposition'),
    content: EXPORTED_FILES,
  })
  @ApiAcceptedResponse({ type: JobDto, description: 'The job that makes a large file.' })
  @Refuses(FILES.export)
  async export(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Query() { format }: ExportDocumentDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { accountId } = context.principal;
    const document = await this.documents.find(accountId, id);
    const etag = exportETag(document, format);
    response.setHeader('ETag', etag);
    if (isUnchanged(request, etag)) {
      response.status(304).end();
      return;
    }
    if (this.converter.isLarge(document, format)) {
      const input = { documentId: document.id, version: document.version, format };
      const job = await this.jobs.addOnce({ kind: DOCUMENT_EXPORT, input }, context);
      this.accept(job, request, response);
      return;
    }
    const file = await this.converter.export(accountId, document, format);
    response.attachment(fileNameOf(document.title, format));
    response.setHeader('Content-Type', MEDIA_TYPES[format]);
    response.setHeader('Content-Length', file.length);
    response.end(file);
  }

  /** Only what is large is answered with the envelope here. */
  private accept(job: Job, { requestId }: Request, response: Response): void {
    response.removeHeader('ETag');
    response.status(202).setHeader('Location', jobPath(job));
    response.setHeader('Retry-After', '1');
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(successEnvelope(JSON.stringify(presentJob(job)), requestId, this.clock.now()));
  }
}

/** Weak: two exports of a version say the same, but not in the same bytes. */
function exportETag({ version }: { version: number }, format: string): string {
  return `W/"${String(version)}-${format}"`;
}
