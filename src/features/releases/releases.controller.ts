import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { Access } from '../auth/access/access.js';
import { CurrentAccess, Reach } from '../auth/access/reach.decorators.js';
import { CurrentContext, RequireScope } from '../auth/auth.decorators.js';
import type { RequestContext } from '../auth/request-context.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { headers } from '../../platform/openapi/headers.js';
import { ApiPreconditions, Refuses } from '../../platform/openapi/route-decorators.js';
import {
  CreateReleaseDto,
  DeletedReleaseDto,
  ListReleasesDto,
  PatchReleaseDto,
  PreviewReleaseDto,
  ReleaseDto,
  ReleasePreviewItemDto,
} from './dto/release.dto.js';
import { presentRelease, releasePath, releaseResponse } from './release.presenter.js';
import { ReleasePreviewsService } from './release-previews.service.js';
import { RELEASES } from './releases.refusals.js';
import { ReleasesService } from './releases.service.js';

@ApiTags('releases')
@Controller('releases')
export class ReleasesController {
  constructor(
    private readonly releases: ReleasesService,
    private readonly previews: ReleasePreviewsService,
  ) {}

  @Post()
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    summary: 'Create a release',
    description:
      'A release publishes or unpublishes up to 100 documents together: all or none. With `publishAt`, the service publishes it then. The versions are fixed now, so what you see goes live. If a document is refused then, for example because it is in the trash, the release fails and emits `release.failed`. A release that is more than 24 hours late fails too. Needs the right `editor` in each document. An account can have 500 open and scheduled releases.',
  })
  @ApiCreatedResponse({ type: ReleaseDto, description: 'The release.', headers: headers('ETag') })
  @Refuses(RELEASES.create)
  async create(
    @CurrentContext() context: RequestContext,
    @Body() body: CreateReleaseDto,
  ): Promise<ApiResponse> {
    const created = await this.releases.create(body, context);
    return releaseResponse(created, releasePath(created));
  }

  @Get()
  @RequireScope('documents:read')
  @Reach('visible')
  @ApiOperation({
    summary: 'List releases',
    description: 'The releases with a document that the caller can see.',
  })
  @ApiOkResponse({ type: ReleaseDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @Query() query: ListReleasesDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.releases.list(access, query);
    return new ApiResponse(JSON.stringify(rows.map(presentRelease)), { pagination });
  }

  @Get(':id')
  @RequireScope('documents:read')
  @Reach('viewer')
  @ApiOperation({ summary: 'Read a release' })
  @ApiOkResponse({ type: ReleaseDto, description: 'The release.', headers: headers('ETag') })
  async read(@CurrentAccess() access: Access, @Param('id') id: string): Promise<ApiResponse> {
    return releaseResponse(await this.releases.find(access, id));
  }

  @Get(':id/documents')
  @RequireScope('documents:read')
  @Reach('viewer')
  @ApiOperation({
    operationId: 'previewRelease',
    summary: 'Preview a release',
    description:
      'Each document that the caller can see as readers would get it, the problems that would refuse it now, and what readers get today. With `limit=100`, the first page has all.',
  })
  @ApiOkResponse({
    type: ReleasePreviewItemDto,
    isArray: true,
    description: 'One page, in the order of the release.',
  })
  async preview(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Query() query: PreviewReleaseDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.previews.page(access, id, query);
    return new ApiResponse(`[${rows.join(',')}]`, { pagination });
  }

  @Patch(':id')
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'patchRelease',
    summary: 'Change a release',
    description:
      'Takes a JSON Merge Patch (RFC 7396): omitted fields keep their value. Possible while it is open or scheduled. `items` replaces all documents; those without a version get the current one. Needs the right `editor` in all documents, before and after. If nothing changes, nothing is written.',
  })
  @ApiPreconditions()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchReleaseDto, required: false })
  @ApiOkResponse({ type: ReleaseDto, description: 'The release.', headers: headers('ETag') })
  @Refuses(RELEASES.patch)
  async patch(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() body: PatchReleaseDto,
  ): Promise<ApiResponse> {
    return releaseResponse(await this.releases.change({ id, preconditions }, body, context));
  }

  @Post(':id/publish')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'publishRelease',
    summary: 'Publish a release now',
    description:
      'Possible while it is open or scheduled. If a document is refused, nothing changes, and `details.items` has the problems of each. Emits `document.published` and `document.unpublished`, then `release.published`.',
  })
  @ApiOkResponse({ type: ReleaseDto, description: 'The release.', headers: headers('ETag') })
  @Refuses(RELEASES.publish)
  async publish(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
  ): Promise<ApiResponse> {
    return releaseResponse(await this.releases.publish(id, context));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'cancelRelease',
    summary: 'Cancel a release',
    description: 'Possible while it is open or scheduled. The documents stay as they are.',
  })
  @ApiOkResponse({ type: ReleaseDto, description: 'The release.', headers: headers('ETag') })
  @Refuses(RELEASES.cancel)
  async cancel(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
  ): Promise<ApiResponse> {
    return releaseResponse(await this.releases.cancel(id, context));
  }

  @Delete(':id')
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    summary: 'Delete a release',
    description:
      'Possible in each status; a scheduled one is not published any more. The documents stay as they are.',
  })
  @ApiPreconditions()
  @ApiOkResponse({ type: DeletedReleaseDto, description: 'The release is deleted.' })
  @Refuses(RELEASES.delete)
  async delete(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
  ): Promise<DeletedReleaseDto> {
    await this.releases.delete({ id, preconditions }, context);
    return { id, deleted: true };
  }
}
