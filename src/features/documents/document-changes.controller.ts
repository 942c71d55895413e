import { Body, Controller, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { DocumentChanges } from './document-changes.service.js';
import { DocumentDto } from './dto/document.dto.js';
import { EDIT_EXAMPLES, EditDocumentDto } from './dto/edit-document.dto.js';
import { PatchDocumentDto } from './dto/write-document.dto.js';
import { ReplaceDocumentDto } from './dto/write-document.dto.js';
import { MAX_CONTENT_BYTES } from '../content/text-fields.js';
import { LongTexts } from './long-texts/long-texts.js';
import { editedFields, patchedFields, replacedFields } from './apply-patch.js';
import { DOCUMENTS } from './documents.refusals.js';
const EFFECT =
  'Makes one version and emits `document.updated`, and `document.status_changed` when the status moves; when nothing changes, nothing is written.';

@ApiTags('documents')
@Controller('documents')
export class DocumentChangesController {
  constructor(
    private readonly changes: DocumentChanges,
    private readonly texts: LongTexts,
  ) {}

  @Patch(':id')
  @RequireScope('documents:write')
  @ApiOperation({
    operationId: 'patchDocument',
    summary: 'Change a document',
    description: `A JSON Merge Patch (RFC 7396): what is not named stays. ${EFFECT}`,
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
    return documentResponse(
      await this.changes.change({ id, preconditions }, context, {
        of: (document) => patchedFields(document, body),
      }),
    );
  }

  @Put(':id')
  @RequireScope('documents:write')
  @ApiOperation({
    operationId: 'replaceDocument',
    summary: 'Replace a document',
    description: `What is left out becomes as in a new document; the status stays unless it is named. ${EFFECT}`,
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
    return documentResponse(
      await this.changes.change({ id, preconditions }, context, {
        of: (document) => replacedFields(document, body),
      }),
    );
  }

  @Post(':id/edits')
  @HttpCode(200)
  @RequireScope('documents:write')
  @ApiOperation({
    operationId: 'editDocument',
    summary: 'Edit parts of the content',
    description: `For long texts of which little changes. ${EFFECT}`,
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
    return documentResponse(
      await this.changes.change({ id, preconditions }, context, {
        of: async ({ accountId, content }) =>
          editedFields(await this.texts.edited(accountId, content, edits, MAX_CONTENT_BYTES)),
      }),
    );
  }
}
