import { Body, Controller, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentContext, RequireScope } from '../access/auth/authentication.js';
import type { RequestContext } from '../access/auth/request-context.js';
import type { ApiResponse } from '../../platform/http/envelope/api-response.js';
import {
  preconditionFailed,
  SentPreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { headers } from '../../platform/openapi/headers.js';
import { ApiPreconditions, Refuses } from '../../platform/openapi/route-decorators.js';
import { quotaExceeded } from '../usage/quota-refusal.js';
import { documentResponse } from './document-response.js';
import { DocumentChangesService } from './changes/document-changes.service.js';
import { DocumentDto } from './dto/document.dto.js';
import { EDIT_EXAMPLES, EditDocumentDto } from './dto/edit-document.dto.js';
import { PatchDocumentDto } from './dto/write-document.dto.js';
import { ReplaceDocumentDto } from './dto/write-document.dto.js';
import { MAX_CONTENT_BYTES } from '../content/text-fields.js';
import { LongTexts } from '../content/long-texts/long-texts.js';
import {
  editedFields,
  editRefused,
  illegalTransition,
  patchedFields,
  replacedFields,
} from './changes/apply-patch.js';

const CHANGED = preconditionFailed({ version: 4, etag: '"4"' });
const NOT_FOUND_IN_TEXT = editRefused(0, 'not_found', {
  field: 'edits[0].find',
  issue: 'does not occur in the content',
});
const NO_ROOM = quotaExceeded({
  quota: 'storageBytes',
  limit: 104_857_600,
  used: 104_857_000,
  plan: 'free',
  requested: 4_000,
});
const EFFECT =
  'Makes one version and emits `document.updated`, and `document.status_changed` when the status moves; when nothing changes, nothing is written.';

@ApiTags('documents')
@Controller('documents')
export class DocumentChangesController {
  constructor(
    private readonly changes: DocumentChangesService,
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
  @Refuses('Changed meanwhile', CHANGED)
  @Refuses('No room to grow', NO_ROOM)
  @Refuses('Illegal transition', illegalTransition('archived', 'published'))
  async patch(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() body: PatchDocumentDto,
  ): Promise<ApiResponse> {
    return documentResponse(
      await this.changes.change({ id, preconditions }, context, {
        fieldsFor: (document) => patchedFields(document, body),
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
  @Refuses('Changed meanwhile', CHANGED)
  @Refuses('No room to grow', NO_ROOM)
  @Refuses('Illegal transition', illegalTransition('archived', 'published'))
  async replace(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() body: ReplaceDocumentDto,
  ): Promise<ApiResponse> {
    return documentResponse(
      await this.changes.change({ id, preconditions }, context, {
        fieldsFor: (document) => replacedFields(document, body),
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
  @Refuses('Changed meanwhile', CHANGED)
  @Refuses('No room to grow', NO_ROOM)
  @Refuses('Text not found', NOT_FOUND_IN_TEXT)
  async edit(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() { edits }: EditDocumentDto,
  ): Promise<ApiResponse> {
    return documentResponse(
      await this.changes.change({ id, preconditions }, context, {
        fieldsFor: async ({ accountId, content }) =>
          editedFields(await this.texts.edited(accountId, content, edits, MAX_CONTENT_BYTES)),
      }),
    );
  }
}
