import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import {
  CurrentContext,
  CurrentPrincipal,
  OrScope,
  RequireScope,
} from '../../auth/auth.decorators.js';
import type { Principal } from '../../auth/principal.js';
import { readsPublished } from '../publishing/perspective.js';
import { publishedResponse } from '../publishing/publication.presenter.js';
import type { Access } from '../../auth/access/access.js';
import { CurrentAccess, Reach } from '../../auth/access/reach.decorators.js';
import type { RequestContext } from '../../auth/request-context.js';
import type { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../../platform/http/envelope/preconditions.js';
import { headers } from '../../../platform/openapi/headers.js';
import { KEPT_TEXT } from '../../../platform/openapi/schemas.js';
import { ApiPreconditions, Refuses } from '../../../platform/openapi/route-decorators.js';
import { documentPath, documentResponse, readResponse } from '../model/document-response.js';
import { DocumentTrashService } from './document-trash.service.js';
import { DocumentsByExternalIdService } from './documents-by-external-id.service.js';
import { DocumentsService } from '../documents.service.js';
import { DeleteDocumentDto, DeletedDocumentDto, DocumentDto } from '../dto/document.dto.js';
import { ReadDocumentDto } from '../dto/list-documents.dto.js';
import { MAX_EXTERNAL_ID_CHARACTERS } from '../../content/text-fields.js';
import { ReplaceDocumentDto } from '../dto/write-document.dto.js';
import { BY_EXTERNAL_ID } from '../documents.refusals.js';

const ApiExternalId = () =>
  ApiParam({
    name: 'externalId',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_EXTERNAL_ID_CHARACTERS,
      pattern: KEPT_TEXT,
      example: 'crm/4711',
    },
    description:
      'Your own id of the document, percent-encoded including slashes: `crm%2F4711` is `crm/4711`.',
  });

/** Registered before `documents/:id`, whose pattern matches these paths too. */
@ApiTags('documents')
@Controller('documents/by-external-id')
export class DocumentsByExternalIdController {
  constructor(
    private readonly byExternalId: DocumentsByExternalIdService,
    private readonly documents: DocumentsService,
    private readonly trash: DocumentTrashService,
  ) {}

  @Get(':externalId')
  @RequireScope('documents:read')
  @OrScope('documents:read_published')
  @Reach('viewer')
  @ApiOperation({
    operationId: 'readDocumentByExternalId',
    summary: 'Read a document by external id',
  })
  @ApiExternalId()
  @ApiOkResponse({ type: DocumentDto, description: 'The document.', headers: headers('ETag') })
  async read(
    @CurrentPrincipal() principal: Principal,
    @CurrentAccess() access: Access,
    @Param('externalId') externalId: string,
    @Query() query: ReadDocumentDto,
  ): Promise<ApiResponse> {
    const id = await this.byExternalId.idOf(access, externalId);
    if (readsPublished(principal, query.version !== undefined))
      return publishedResponse(await this.documents.findPublished(access, id), query);
    return readResponse(await this.documents.find(access, id), query);
  }

  @Put(':externalId')
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'putDocumentByExternalId',
    summary: 'Create or replace a document by external id',
    description:
      'Creates the document if none has this `externalId` (201). Otherwise replaces it (200) like `PUT /v1/documents/{id}`. Repeated or concurrent requests create one document. `If-None-Match: *` only creates; `If-Match` only replaces. Ignores the trash.',
  })
  @ApiExternalId()
  @ApiPreconditions()
  @ApiBody({ type: ReplaceDocumentDto })
  @ApiOkResponse({
    type: DocumentDto,
    description: 'The replaced document.',
    headers: headers('ETag'),
  })
  @ApiCreatedResponse({
    type: DocumentDto,
    description: 'The created document.',
    headers: headers('ETag'),
  })
  @Refuses(BY_EXTERNAL_ID.put)
  async put(
    @CurrentContext() context: RequestContext,
    @Param('externalId') externalId: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() body: ReplaceDocumentDto,
  ): Promise<ApiResponse> {
    const put = await this.byExternalId.put(externalId, body, preconditions, context);
    return documentResponse(put, put.isNew ? { location: documentPath(put.document) } : {});
  }

  @Delete(':externalId')
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'deleteDocumentByExternalId',
    summary: 'Delete a document by external id',
    description:
      'Moves the document to the trash for 30 days, or deletes it permanently, as `DELETE /v1/documents/{id}` does. Another document can use the `externalId` right away.',
  })
  @ApiExternalId()
  @ApiPreconditions()
  @ApiOkResponse({ type: DeletedDocumentDto, description: 'The document is deleted.' })
  @Refuses(BY_EXTERNAL_ID.delete)
  async delete(
    @CurrentContext() context: RequestContext,
    @Param('externalId') externalId: string,
    @SentPreconditions() preconditions: Preconditions,
    @Query() query: DeleteDocumentDto,
  ): Promise<DeletedDocumentDto> {
    const id = await this.byExternalId.idOf(context.access, externalId);
    return this.trash.deleteAs({ id, preconditions }, context, query);
  }
}
