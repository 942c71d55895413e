import { Controller, Delete, Headers, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCause, RequireScope } from '../auth/authentication.js';
import type { Cause } from '../auth/cause.js';
import { scopeMissing } from '../auth/scope.guard.js';
import { grants } from '../auth/scopes.js';
import type { Answer } from '../envelope/answer.js';
import { preconditionFailed, type IfMatch } from '../envelope/if-match.js';
import { headers, IF_MATCH } from '../openapi/headers.js';
import { Refuses } from '../openapi/route-decorators.js';
import { documentAnswer } from './document-answer.js';
import { DocumentTrash, notDeleted } from './document-trash.service.js';
import { deletedForNow } from './document.presenter.js';
import { DeleteDocumentDto, DeletedDocumentDto } from './dto/delete-document.dto.js';
import { DocumentDto } from './dto/document.dto.js';

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
      'Into the trash for 30 days, or for good. Emits `document.deleted`; removing what is in the trash already emits nothing.',
  })
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: DeletedDocumentDto, description: 'It is deleted.' })
  @Refuses('Changed meanwhile', preconditionFailed({ version: 4, etag: '"4"' }))
  @Refuses('Not for good', scopeMissing('documents:delete', ['documents:write']))
  async delete(
    @CurrentCause() cause: Cause,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: IfMatch,
    @Query() { permanent }: DeleteDocumentDto,
  ): Promise<DeletedDocumentDto> {
    if (!permanent) {
      const until = await this.trash.delete({ id, ifMatch }, cause);
      return deletedForNow(id, until);
    }
    const { scopes } = cause.principal;
    if (!grants(scopes, 'documents:delete')) throw scopeMissing('documents:delete', scopes);
    await this.trash.remove({ id, ifMatch }, cause);
    return { id, deleted: true, permanent, restorableUntil: null };
  }

  @Post(':id/restore')
  @HttpCode(200)
  @RequireScope('documents:write')
  @ApiOperation({
    operationId: 'restoreDocument',
    summary: 'Restore a deleted document',
    description: 'Within 30 days of its deletion. Emits `document.restored`.',
  })
  @ApiOkResponse({
    type: DocumentDto,
    description: 'The document as it was.',
    headers: headers('ETag'),
  })
  @Refuses('Not deleted', notDeleted())
  async restore(@CurrentCause() cause: Cause, @Param('id') id: string): Promise<Answer> {
    return documentAnswer(await this.trash.restore(id, cause));
  }
}
