import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
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
import { CurrentContext, OrScope, RequireScope } from '../../auth/auth.decorators.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import type { RequestContext } from '../../auth/request-context.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { BodyReadBy } from '../../../platform/http/bodies/body.interceptor.js';
import { JobDto } from '../../jobs/dto/job.dto.js';
import { headers } from '../../../platform/openapi/headers.js';
import { Refuses, WithoutEnvelope } from '../../../platform/openapi/route-decorators.js';
import { createdResponse } from '../model/document-response.js';
import { DocumentsService } from '../documents.service.js';
import { CreateDocumentDto } from '../dto/write-document.dto.js';
import { DocumentDto } from '../dto/document.dto.js';
import { DocumentExportsService } from './document-exports.service.js';
import {
  ConvertedFileDto,
  ExportDocumentDto,
  EXPORTED_FILES,
  ImportDocumentDto,
  ImportOptionsDto,
} from './dto/document-file.dto.js';
import { ImportBodyReader } from './import-body-reader.js';
import { FILES } from '../documents.refusals.js';

@ApiTags('documents')
@Controller('documents')
export class DocumentFilesController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly exports: DocumentExportsService,
  ) {}

  @Post('import')
  // A created document has a location, which sets the status 201.
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('editor')
  @BodyReadBy(ImportBodyReader)
  @ApiOperation({
    operationId: 'importDocument',
    summary: 'Create a document from a file',
    description:
      'Converts Markdown, HTML or DOCX to Markdown. Front matter can set the title, type and metadata. Content that Markdown cannot represent, such as embedded images, is dropped with a warning. Emits `document.created`. With `dryRun=true`, stores nothing: the response is 200 with the title and content.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: ImportDocumentDto })
  @ApiOkResponse({
    type: ConvertedFileDto,
    description: 'With `dryRun=true`: the converted file. Nothing was stored.',
  })
  @ApiCreatedResponse({
    type: DocumentDto,
    description: 'The stored document.',
    headers: headers('ETag'),
  })
  @Refuses(FILES.import)
  async import(
    @CurrentContext() context: RequestContext,
    @Req() { importWarnings = [], importedFrom }: Request,
    @Query() { dryRun }: ImportOptionsDto,
    @Body() body: CreateDocumentDto,
  ): Promise<ApiResponse> {
    if (dryRun) {
      const { title, content } = body;
      return new ApiResponse(JSON.stringify({ title, content }), { warnings: importWarnings });
    }
    const origin = { action: 'document.import', details: { ...importedFrom } } as const;
    const created = await this.documents.create(body, context, { audit: origin });
    return createdResponse(created, importWarnings);
  }

  @Get(':id/export')
  @RequireScope('documents:read')
  @OrScope('documents:read_published')
  @Reach('viewer', { browser: true })
  @WithoutEnvelope()
  @ApiOperation({
    operationId: 'exportDocument',
    summary: 'Export a document as a file',
    description:
      'Returns the file itself; errors use the envelope. Images remain links. DOCX files with more than 256 KiB of content and PDF files with more than 64 KiB are created by a job: the response is 202 with the job, in the envelope.',
  })
  @ApiOkResponse({
    description: 'The file. Its name is the title of the document.',
    headers: headers('ETag', 'Content-Disposition'),
    content: EXPORTED_FILES,
  })
  @ApiAcceptedResponse({ type: JobDto, description: 'The job that creates the file.' })
  @Refuses(FILES.export)
  async export(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Query() query: ExportDocumentDto,
    @Res() response: Response,
  ): Promise<void> {
    await this.exports.respond(id, query, context, response);
  }
}
