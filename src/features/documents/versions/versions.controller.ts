import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentContext, RequireScope } from '../../auth/auth.decorators.js';
import type { Access } from '../../auth/access/access.js';
import { CurrentAccess, Reach } from '../../auth/access/reach.decorators.js';
import type { RequestContext } from '../../auth/request-context.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../../platform/http/envelope/preconditions.js';
import { headers } from '../../../platform/openapi/headers.js';
import { ApiPreconditions, Refuses } from '../../../platform/openapi/route-decorators.js';
import { documentResponse } from '../model/document-response.js';
import { DocumentDto } from '../dto/document.dto.js';
import { DiffQueryDto, VersionDiffDto, VersionDto, WholeVersionDto } from './dto/version.dto.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';
import { documentVersionPresenter } from './document-versions.repository.js';
import { VersionsService } from './versions.service.js';
import { VERSIONS } from '../documents.refusals.js';

const NUMBER = {
  name: 'number',
  description: 'Version number.',
  schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 999_999_999 },
  example: 1,
};

@ApiTags('documents')
@Controller('documents/:id/versions')
export class VersionsController {
  constructor(private readonly versions: VersionsService) {}

  @Get()
  @RequireScope('documents:read')
  @Reach('viewer', { browser: true })
  @ApiOperation({ summary: 'List the versions of a document', description: 'Newest first.' })
  @ApiOkResponse({ type: VersionDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Query() query: CreationOrderDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.versions.list(access, id, query);
    return new ApiResponse(documentVersionPresenter.list(rows), { pagination });
  }

  @Get(':number')
  @RequireScope('documents:read')
  @Reach('viewer', { browser: true })
  @ApiOperation({ summary: 'Read a version of a document' })
  @ApiParam(NUMBER)
  @ApiOkResponse({ type: WholeVersionDto, description: 'The document at this version.' })
  async read(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Param('number') number: string,
  ): Promise<ApiResponse> {
    const version = await this.versions.find(access, { id, number });
    return new ApiResponse(documentVersionPresenter.whole(version));
  }

  @Get(':number/diff')
  @RequireScope('documents:read')
  @Reach('viewer', { browser: true })
  @ApiOperation({
    operationId: 'diffVersion',
    summary: 'Compare two versions of a document',
    description: 'Compares the content by lines and words, and everything else by field.',
  })
  @ApiParam(NUMBER)
  @ApiOkResponse({ type: VersionDiffDto, description: 'The differences between the two versions.' })
  @Refuses(VERSIONS.diff)
  async diff(
    @CurrentAccess() access: Access,
    @Param('id') id: string,
    @Param('number') number: string,
    @Query() { against }: DiffQueryDto,
  ): Promise<ApiResponse> {
    return new ApiResponse(await this.versions.diff(access, { id, number }, against));
  }

  @Post(':number/restore')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('editor')
  @ApiOperation({
    operationId: 'restoreVersion',
    summary: 'Restore a version of a document',
    description:
      'Creates a new version from the old one and emits `document.updated`. The status does not change. If the document already has this content, nothing is written.',
  })
  @ApiParam(NUMBER)
  @ApiPreconditions()
  @ApiOkResponse({ type: DocumentDto, description: 'The document.', headers: headers('ETag') })
  @Refuses(VERSIONS.restore)
  async restore(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Param('number') number: string,
    @SentPreconditions() preconditions: Preconditions,
  ): Promise<ApiResponse> {
    return documentResponse(await this.versions.restore({ id, number }, preconditions, context));
  }
}
