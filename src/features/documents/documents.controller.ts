import {
  Controller,
  Get,
  Query,
  Body,
  Param,
  Post,
  HttpCode,
  Patch,
  Put,
  Delete,
} from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiConsumes,
} from '@nestjs/swagger';
import {
  CurrentContext,
  CurrentPrincipal,
  OrScope,
  RequireScope,
} from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { readsPublished } from './publishing/perspective.js';
import { ReaderResponsesService } from './publishing/reader-responses.service.js';
import { publishedResponse } from './publishing/publication.presenter.js';
import type { Access } from '../auth/access/access.js';
import { CurrentAccess, Reach } from '../auth/access/reach.decorators.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { DocumentFacetsService } from './lists/document-facets.service.js';
import {
  DocumentFacetsDto,
  MAX_FACET_VALUES,
  DocumentDto,
  DocumentListItemDto,
  DocumentReferenceDto,
  DeleteDocumentDto,
  DeletedDocumentDto,
} from './dto/document.dto.js';
import { DocumentFiltersDto } from './dto/document-filters.dto.js';
import type { RequestContext } from '../auth/request-context.js';
import { requireScope } from '../auth/guards/scope.guard.js';
import { createdResponse, documentResponse, readResponse } from './model/document-response.js';
import { DocumentPagesService } from './lists/document-pages.service.js';
import { DocumentsService } from './documents.service.js';
import {
  CREATE_DOCUMENT_EXAMPLES,
  CopyDocumentDto,
  CreateDocumentDto,
  CreateDocumentFromTemplateDto,
  NEW_DOCUMENT,
  PatchDocumentDto,
  ReplaceDocumentDto,
  RestoreDocumentDto,
} from './dto/write-document.dto.js';
import { ReadDocumentDto, ListDocumentsDto } from './dto/list-documents.dto.js';
import { headers } from '../../platform/openapi/headers.js';
import { Refuses, ApiPreconditions } from '../../platform/openapi/route-decorators.js';
import { DOCUMENTS } from './documents.refusals.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { DocumentChangesService } from './changes/document-changes.service.js';
import { EDIT_EXAMPLES, EditDocumentDto } from './dto/edit-document.dto.js';
import { DocumentTrashService } from './changes/document-trash.service.js';

const EFFECT =
  'Creates one version and emits `document.updated`, plus `document.status_changed` if the status changes. If nothing changes, nothing is written.';

@ApiTags('documents')
@ApiExtraModels(DocumentReferenceDto)
@Controller('documents')
export class DocumentsController {
  constructor(
    private readonly facets: DocumentFacetsService,
    private readonly documents: DocumentsService,
    private readonly pages: DocumentPagesService,
    private readonly changes: DocumentChangesService,
    private readonly trash: DocumentTrashService,
    private readonly readers: ReaderResponsesService,
  ) {}

  @Get('facets')
  @RequireScope('documents:read')
  @OrScope('documents:read_published')
  @Reach('visible')
  @ApiOperation({
    operationId: 'countDocuments',
    summary: 'Count documents by value',
    description: `Counts the matching documents by type, status, tag, department and project. Returns the ${String(MAX_FACET_VALUES)} most frequent values of each; \`meta.warnings\` names fields that have more. Of more than 20,000 documents, only the newest 20,000 count, and \`meta.totalIsLowerBound\` is set.`,
  })
  @ApiOkResponse({ type: DocumentFacetsDto, description: 'The counts.' })
  @Refuses(DOCUMENTS.list)
  async count(
    @CurrentPrincipal() principal: Principal,
    @CurrentAccess() access: Access,
    @Query() query: DocumentFiltersDto,
  ): Promise<ApiResponse> {
    const published = readsPublished(principal, query.perspective !== undefined);
    const count = async () => {
      const { json, ...extras } = await this.facets.count(access, query, { published });
      return new ApiResponse(json, extras);
    };
    return published ? this.readers.respond(access, count) : count();
  }

  @Post()
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    summary: 'Create a document',
    description:
      'A new document is a draft. With a `templateId`, fields that the body omits come from that template with its variables filled in. Emits `document.created`.',
  })
  @ApiExtraModels(CreateDocumentDto, CreateDocumentFromTemplateDto)
  @ApiBody({ schema: NEW_DOCUMENT, examples: CREATE_DOCUMENT_EXAMPLES })
  @ApiCreatedResponse({
    type: DocumentDto,
    description: 'The stored document.',
    headers: headers('ETag'),
  })
  @Refuses(DOCUMENTS.create)
  async create(
    @CurrentContext() context: RequestContext,
    @Body() body: CreateDocumentDto,
  ): Promise<ApiResponse> {
    const created = await this.documents.create(body, context);
    return createdResponse(created, created.warnings);
  }

  @Post(':id/copy')
  @RequireScope('documents:write')
  @Reach('viewer')
  @ApiOperation({
    operationId: 'copyDocument',
    summary: 'Copy a document',
    description:
      'Creates a draft at version 1 with the type, content, metadata, AI settings and template of the document, but without its `externalId` and history. Fields in the body override copied ones. Also needs the scope `documents:read`. Emits `document.created`.',
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
    return createdResponse(copy);
  }

  @Get()
  @RequireScope('documents:read')
  @OrScope('documents:read_published')
  @Reach('visible', { browser: true })
  @ApiOperation({
    summary: 'List documents',
    description: 'Newest first. The content is included only if `fields` requests it.',
  })
  @ApiOkResponse({ type: DocumentListItemDto, isArray: true, description: 'One page.' })
  @Refuses(DOCUMENTS.list)
  async list(
    @CurrentPrincipal() principal: Principal,
    @CurrentAccess() access: Access,
    @Query() query: ListDocumentsDto,
  ): Promise<ApiResponse> {
    const published = readsPublished(principal, query.perspective !== undefined);
    const read = async () => {
      const { json, pagination, warnings } = await this.pages.read(access, query, { published });
      return new ApiResponse(json, { pagination, warnings });
    };
    return published ? this.readers.respond(access, read) : read();
  }

  @Get(':id')
  @RequireScope('documents:read')
  @OrScope('documents:read_published')
  @Reach('viewer', { browser: true })
  @ApiOperation({ summary: 'Read a document' })
  @ApiOkResponse({ type: DocumentDto, description: 'The document.', headers: headers('ETag') })
  async read(
    @CurrentPrincipal() principal: Principal,
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Query() query: ReadDocumentDto,
  ): Promise<ApiResponse> {
    if (readsPublished(principal, query.version !== undefined))
      return publishedResponse(await this.documents.findPublished(access, id), query);
    return readResponse(await this.documents.find(access, id), query);
  }

  @Patch(':id')
  @RequireScope('documents:write')
  @Reach('editor', { browser: true })
  @ApiOperation({
    operationId: 'patchDocument',
    summary: 'Change a document',
    description: `Takes a JSON Merge Patch (RFC 7396): omitted fields keep their value. ${EFFECT}`,
  })
  @ApiPreconditions()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchDocumentDto, required: false })
  @ApiOkResponse({ type: DocumentDto, description: 'The document.', headers: headers('ETag') })
  @Refuses(DOCUMENTS.patch)
  async patch(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() body: PatchDocumentDto,
  ): Promise<ApiResponse> {
    return documentResponse(await this.changes.patch({ id, preconditions }, body, context));
  }

  @Put(':id')
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'replaceDocument',
    summary: 'Replace a document',
    description: `Omitted fields are reset to their defaults, except the status, which keeps its value. ${EFFECT}`,
  })
  @ApiPreconditions()
  @ApiBody({ type: ReplaceDocumentDto })
  @ApiOkResponse({ type: DocumentDto, description: 'The document.', headers: headers('ETag') })
  @Refuses(DOCUMENTS.replace)
  async replace(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() body: ReplaceDocumentDto,
  ): Promise<ApiResponse> {
    return documentResponse(await this.changes.replace({ id, preconditions }, body, context));
  }

  @Post(':id/edits')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('editor', { browser: true })
  @ApiOperation({
    operationId: 'editDocument',
    summary: 'Edit parts of the content',
    description: `Use this for small changes to long texts. ${EFFECT}`,
  })
  @ApiPreconditions()
  @ApiBody({ type: EditDocumentDto, examples: EDIT_EXAMPLES })
  @ApiOkResponse({ type: DocumentDto, description: 'The document.', headers: headers('ETag') })
  @Refuses(DOCUMENTS.edit)
  async edit(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() { edits }: EditDocumentDto,
  ): Promise<ApiResponse> {
    return documentResponse(await this.changes.edit({ id, preconditions }, edits, context));
  }

  @Delete(':id')
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'deleteDocument',
    summary: 'Delete a document',
    description:
      'Moves the document to the trash for 30 days, or deletes it permanently. Emits `document.deleted`, unless it was in the trash already. Permanent deletion also removes the texts from all events of the document, which remain with `removed: true`.',
  })
  @ApiPreconditions()
  @ApiOkResponse({ type: DeletedDocumentDto, description: 'The document is deleted.' })
  @Refuses(DOCUMENTS.delete)
  async delete(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Query() query: DeleteDocumentDto,
  ): Promise<DeletedDocumentDto> {
    return this.trash.deleteAs({ id, preconditions }, context, query);
  }

  @Post(':id/restore')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'restoreDocument',
    summary: 'Restore a deleted document',
    description:
      'Possible for 30 days after its deletion. Emits `document.restored` and, if it is moved to another collection, `document.updated`.',
  })
  @ApiPreconditions()
  @ApiBody({ type: RestoreDocumentDto, required: false })
  @ApiOkResponse({
    type: DocumentDto,
    description: 'The restored document.',
    headers: headers('ETag'),
  })
  @Refuses(DOCUMENTS.restore)
  async restore(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() body: RestoreDocumentDto,
  ): Promise<ApiResponse> {
    return documentResponse(await this.trash.restore({ id, preconditions }, body, context));
  }
}
