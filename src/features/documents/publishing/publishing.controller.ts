import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentContext, RequireScope } from '../../auth/auth.decorators.js';
import type { Access } from '../../auth/access/access.js';
import { CurrentAccess, Reach } from '../../auth/access/reach.decorators.js';
import { presentPerson } from '../../auth/person.js';
import type { RequestContext } from '../../auth/request-context.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../../platform/http/envelope/preconditions.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';
import { headers } from '../../../platform/openapi/headers.js';
import { ApiPreconditions, Refuses } from '../../../platform/openapi/route-decorators.js';
import { DocumentDto } from '../dto/document.dto.js';
import { documentResponse } from '../model/document-response.js';
import {
  PublicationChecksDto,
  PublicationChecksQueryDto,
  PublicationDto,
  PublishDocumentDto,
} from './dto/publishing.dto.js';
import type { PastPublication } from './publications.repository.js';
import { PUBLISHING } from './publishing.refusals.js';
import { PublishingService } from './publishing.service.js';

@ApiTags('publishing')
@Controller('documents/:id')
export class PublishingController {
  constructor(private readonly publishing: PublishingService) {}

  @Post('publish')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'publishDocument',
    summary: 'Publish a document',
    description:
      'Readers get this version until another one is published. A document that is not published gets a new version with the status `published`. An older `version` is a rollback: readers get it, and the document stays as it is. Later versions that only changed the status, external ID or collection are published in its place. Publishing the published version again does nothing. If the rules of the account refuse the version, the response is 409 with `details.reason` `checks` and all problems. Without an `Idempotency-Key`, a missing analysis is ordered and awaited for up to 5 seconds. Emits `document.published`.',
  })
  @ApiPreconditions()
  @ApiBody({ type: PublishDocumentDto, required: false })
  @ApiOkResponse({ type: DocumentDto, description: 'The document.', headers: headers('ETag') })
  @Refuses(PUBLISHING.publish)
  async publish(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() body: PublishDocumentDto,
  ): Promise<ApiResponse> {
    return documentResponse(await this.publishing.publish({ id, preconditions }, body, context));
  }

  @Get('publication-checks')
  @RequireScope('documents:read')
  @Reach('viewer')
  @ApiOperation({
    operationId: 'checkPublication',
    summary: 'Check whether a document can be published',
    description:
      'What publishing would find now. Orders no analysis. The problems are evaluated again when the version is published.',
  })
  @ApiOkResponse({ type: PublicationChecksDto, description: 'The problems.' })
  @Refuses(PUBLISHING.check)
  async check(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Query() { version }: PublicationChecksQueryDto,
  ): Promise<PublicationChecksDto> {
    return this.publishing.check(id, version, context);
  }

  @Post('unpublish')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'unpublishDocument',
    summary: 'Unpublish a document',
    description:
      'The document becomes a draft, and readers no longer get it. Emits `document.unpublished`.',
  })
  @ApiPreconditions()
  @ApiOkResponse({ type: DocumentDto, description: 'The document.', headers: headers('ETag') })
  @Refuses(PUBLISHING.change)
  async unpublish(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
  ): Promise<ApiResponse> {
    return documentResponse(await this.publishing.unpublish({ id, preconditions }, context));
  }

  @Post('discard')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'discardDocumentChanges',
    summary: 'Discard unpublished changes',
    description:
      'Creates a version with the published text and metadata. Readers notice nothing. If the document has no unpublished changes, nothing is written.',
  })
  @ApiPreconditions()
  @ApiOkResponse({ type: DocumentDto, description: 'The document.', headers: headers('ETag') })
  @Refuses(PUBLISHING.change)
  async discard(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
  ): Promise<ApiResponse> {
    return documentResponse(await this.publishing.discard({ id, preconditions }, context));
  }

  @Get('publications')
  @RequireScope('documents:read')
  @Reach('viewer')
  @ApiOperation({
    operationId: 'listPublications',
    summary: 'List the publications of a document',
    description: 'What readers saw, when, and who published it. Newest first.',
  })
  @ApiOkResponse({ type: PublicationDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Query() query: CreationOrderDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.publishing.list(access, id, query);
    return new ApiResponse(JSON.stringify(rows.map(presented)), { pagination });
  }
}

function presented({ number, version, publishedAt, publishedBy, endedAt }: PastPublication) {
  return {
    number,
    version,
    publishedAt: publishedAt.toISOString(),
    publishedBy: publishedBy && presentPerson(publishedBy),
    endedAt: endedAt?.toISOString() ?? null,
  } satisfies PublicationDto;
}
