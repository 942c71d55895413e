import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../access/auth/authentication.js';
import type { RequestContext } from '../access/auth/request-context.js';
import type { Principal } from '../access/auth/principal.js';
import { requireScope } from '../access/auth/scope.guard.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { documentPath, documentResponse, readResponse } from './document-response.js';
import { DocumentPages } from './document-pages.js';
import { DocumentsService } from './documents.service.js';
import { CREATE_DOCUMENT_EXAMPLES } from './dto/create-document.examples.js';
import { ReadDocumentDto } from './dto/read-document.dto.js';
import {
  CopyDocumentDto,
  CreateDocumentDto,
  CreateDocumentFromTemplateDto,
  NEW_DOCUMENT,
} from './dto/write-document.dto.js';
import { DocumentDto, DocumentListItemDto, DocumentReferenceDto } from './dto/document.dto.js';
import { ListDocumentsDto } from './dto/list-documents.dto.js';
import { headers } from '../../platform/openapi/headers.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { DOCUMENTS } from './documents.refusals.js';

@ApiTags('documents')
@ApiExtraModels(DocumentReferenceDto)
@Controller('documents')
export class DocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly pages: DocumentPages,
  ) {}

  @Post()
  @RequireScope('documents:write')
  @ApiOperation({
    summary: 'Create a document',
    description:
      'A new document is a draft. With a `templateId` what the body leaves out comes from that template, with its variables filled. Emits `document.created`.',
  })
  @ApiExtraModels(CreateDocumentDto, CreateDocumentFromTemplateDto)
  @ApiBody({ schema: NEW_DOCUMENT, examples: CREATE_DOCUMENT_EXAMPLES })
  @ApiCreatedResponse({
    type: DocumentDto,
    description: 'The document as it was stored.',
    headers: headers('ETag'),
  })
  @Refuses(DOCUMENTS.create)
  async create(
    @CurrentContext() context: RequestContext,
    @Body() body: CreateDocumentDto,
  ): Promise<ApiResponse> {
    const created = await this.documents.create(body, context);
    const location = documentPath(created.document);
    return documentResponse(created, { location, warnings: created.warnings });
  }

  @Post(':id/copy')
  @RequireScope('documents:write')
  @ApiOperation({
    operationId: 'copyDocument',
    summary: 'Copy a document',
    description:
      'A new draft of version 1 with the type, content, metadata, AI settings and template of the document as it is now, without its `externalId` and its versions. Its creator is who copies it. What the body names is taken from there. Needs the scope `documents:read` too. Emits `document.created`.',
  })
  @ApiBody({ type: CopyDocumentDto, required: false })
  @ApiCreatedResponse({ type: DocumentDto, description: 'The copy.', headers: headers('ETag') })
  @Refuses(DOCUMENTS.copy)
  async copy(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Body() body: CopyDocumentDto,
  ): Promise<ApiResponse> {
    requireScope(context.principal, 'documents:read');
    const copy = await this.documents.copy(id, body, context);
    return documentResponse(copy, { location: documentPath(copy.document) });
  }

  @Get()
  @RequireScope('documents:read')
  @ApiOperation({
    summary: 'List documents',
    description: 'Newest first, without their content unless it is asked for.',
  })
  @ApiOkResponse({ type: DocumentListItemDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListDocumentsDto,
  ): Promise<ApiResponse> {
    const { json, pagination, warnings } = await this.pages.read(accountId, query);
    return new ApiResponse(json, { pagination, warnings });
  }

  @Get(':id')
  @RequireScope('documents:read')
  @ApiOperation({ summary: 'Read a document' })
  @ApiOkResponse({ type: DocumentDto, description: 'The document.', headers: headers('ETag') })
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Query() query: ReadDocumentDto,
  ): Promise<ApiResponse> {
    return readResponse(await this.documents.find(accountId, id), query);
  }
}
