import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../access/auth/authentication.js';
import type { RequestContext } from '../access/auth/request-context.js';
import type { Principal } from '../access/auth/principal.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { headers } from '../../platform/openapi/headers.js';
import { ApiPreconditions, Refuses } from '../../platform/openapi/route-decorators.js';
import { CreationOrderDto } from '../../platform/http/pagination/creation-order.dto.js';
import { TemplateVersionDto, TemplateVersionListItemDto } from './dto/template-version.dto.js';
import { TemplateDto } from './dto/template.dto.js';
import { templateWarnings } from './template-warnings.js';
import { templateVersionPresenter } from './template-versions.js';
import { presentTemplate, templateETag } from './template.presenter.js';
import { TemplatesService } from './templates.service.js';
import { VERSIONS } from './templates.refusals.js';

const NUMBER = {
  name: 'number',
  description: 'The number of the version.',
  schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 999_999_999 },
  example: 1,
};

@ApiTags('templates')
@Controller('templates/:id/versions')
export class TemplateVersionsController {
  constructor(private readonly templates: TemplatesService) {}

  @Get()
  @RequireScope('templates:read')
  @ApiOperation({
    summary: 'List the versions of a template',
    description: 'Newest first, the current one too, without their content.',
  })
  @ApiOkResponse({ type: TemplateVersionListItemDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Query() query: CreationOrderDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.templates.listVersions(accountId, id, query);
    return new ApiResponse(templateVersionPresenter.list(rows), { pagination });
  }

  @Get(':number')
  @RequireScope('templates:read')
  @ApiOperation({ summary: 'Read a version of a template' })
  @ApiParam(NUMBER)
  @ApiOkResponse({ type: TemplateVersionDto, description: 'The template as it was then.' })
  @Refuses(VERSIONS.read)
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Param('number') number: string,
  ): Promise<ApiResponse> {
    const version = await this.templates.findVersion(accountId, id, number);
    return new ApiResponse(templateVersionPresenter.whole(version));
  }

  @Post(':number/restore')
  @HttpCode(200)
  @RequireScope('templates:write')
  @ApiOperation({
    summary: 'Restore a version of a template',
    description:
      'Makes a new version with its fields; when they are the current ones, nothing is written.',
  })
  @ApiPreconditions()
  @ApiParam(NUMBER)
  @ApiOkResponse({ type: TemplateDto, description: 'The template.', headers: headers('ETag') })
  @Refuses(VERSIONS.restore)
  async restore(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Param('number') number: string,
    @SentPreconditions() preconditions: Preconditions,
  ): Promise<ApiResponse> {
    const template = await this.templates.restore({ id, preconditions }, number, context);
    return new ApiResponse(presentTemplate(template), {
      etag: templateETag(template),
      warnings: templateWarnings(template),
    });
  }
}
