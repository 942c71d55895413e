import { Controller, Delete, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentContext, RequireScope } from '../access/auth/authentication.js';
import type { RequestContext } from '../access/auth/request-context.js';
import type { ApiResponse } from '../../platform/http/envelope/api-response.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { headers } from '../../platform/openapi/headers.js';
import { ApiPreconditions, Refuses } from '../../platform/openapi/route-decorators.js';
import { documentResponse } from './document-response.js';
import { DocumentTrash } from './document-trash.service.js';
import { DeleteDocumentDto, DeletedDocumentDto } from './dto/delete-document.dto.js';
import { DocumentDto } from './dto/document.dto.js';
import { DOCUMENTS } from './documents.refusals.js';

@ApiTags('documents')
@Controller('documents')
export class DocumentTrashController {
  constructor(private readonly trash: DocumentTrash) {}

  @Delete(':id')
  @RequireScope('documents:write')
  @ApiOperation({
    operationId: 'deleteDocument',
    summary: 'Delete a document',
    description:
      'Into the trash for 30 days, or for good. Emits `document.deleted`; removing what is in the trash already emits nothing. Removing for good takes the texts out of all events of the document too, which stay with `removed: true`.',
  })
  @ApiPreconditions()
  @ApiOkResponse({ type: DeletedDocumentDto, description: 'It is deleted.' })
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
  @ApiOperation({
    operationId: 'restoreDocument',
    summary: 'Restore a deleted document',
    description: 'Within 30 days of its deletion. Emits `document.restored`.',
  })
  @ApiPreconditions()
  @ApiOkResponse({
    type: DocumentDto,
    description: 'The document as it was.',
    headers: headers('ETag'),
  })
  @Refuses(DOCUMENTS.restore)
  async restore(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
  ): Promise<ApiResponse> {
    return documentResponse(await this.trash.restore({ id, preconditions }, context));
  }
}
