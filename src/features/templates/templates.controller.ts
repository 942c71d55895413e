import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  Patch,
  Put,
} from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiConsumes,
  ApiParam,
} from '@nestjs/swagger';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../auth/auth.decorators.js';
import { Reach } from '../auth/access/reach.decorators.js';
import type { RequestContext } from '../auth/request-context.js';
import type { Principal } from '../auth/principal.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { headers } from '../../platform/openapi/headers.js';
import { ApiPreconditions, Refuses } from '../../platform/openapi/route-decorators.js';
import { CreationOrderDto } from '../../platform/http/pagination/page-query.dto.js';
import {
  DeletedTemplateDto,
  ListTemplatesDto,
  ReadTemplateDto,
  TemplateDto,
  TemplateListItemDto,
  TemplateVersionDto,
  TemplateVersionListItemDto,
} from './dto/template.dto.js';
import {
  CREATE_TEMPLATE_EXAMPLES,
  CreateTemplateDto,
  PatchTemplateDto,
  PREVIEW_TEMPLATE_EXAMPLES,
  PreviewTemplateDto,
  ReplaceTemplateDto,
  TemplatePreviewDto,
} from './dto/write-template.dto.js';
import { TemplateFillingService } from './variables/template-filling.service.js';
import { TemplateThreads } from './variables/template-threads.js';
import type { Template } from './template-fields.js';
import {
  presentPreview,
  presentTemplates,
  readTemplateResponse,
  templatePath,
  templateResponse,
  templateVersionPresenter,
} from './template.presenter.js';
import { TemplatesService } from './templates.service.js';
import { templateFields, applyPatch } from './apply-patch.js';
import { TEMPLATES } from './templates.refusals.js';

const EFFECT = 'Creates one version. If nothing changes, nothing is written.';

const NUMBER = {
  name: 'number',
  description: 'Version number.',
  schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 999_999_999 },
  example: 1,
};

@ApiTags('templates')
@Controller('templates')
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly filling: TemplateFillingService,
    private readonly threads: TemplateThreads,
  ) {}

  @Post()
  @RequireScope('templates:write')
  @Reach('none')
  @ApiOperation({
    summary: 'Create a template',
    description:
      'Write `{{name}}` to insert a variable in the title, the content or metadata texts; `\\{{name}}` becomes a literal `{{name}}`. `meta.warnings` reports likely mistakes, such as an undeclared variable.',
  })
  @ApiBody({ type: CreateTemplateDto, examples: CREATE_TEMPLATE_EXAMPLES })
  @ApiCreatedResponse({
    type: TemplateDto,
    description: 'The stored template.',
    headers: headers('ETag'),
  })
  @Refuses(TEMPLATES.create)
  async create(
    @CurrentContext() context: RequestContext,
    @Body() body: CreateTemplateDto,
  ): Promise<ApiResponse> {
    const fields = await this.threads.valid(context.principal.accountId, templateFields(body));
    const template = await this.templates.create(fields, context);
    return this.response(template, templatePath(template));
  }

  @Get()
  @RequireScope('templates:read')
  @Reach('none')
  @ApiOperation({
    summary: 'List templates',
    description:
      'Newest first, without their content. Every account starts with five templates, one per document type.',
  })
  @ApiOkResponse({ type: TemplateListItemDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListTemplatesDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.templates.list(accountId, query);
    return new ApiResponse(presentTemplates(rows, query.fields), { pagination });
  }

  @Get(':id')
  @RequireScope('templates:read')
  @Reach('none')
  @ApiOperation({ summary: 'Read a template' })
  @ApiOkResponse({ type: TemplateDto, description: 'The template.', headers: headers('ETag') })
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Query() { fields }: ReadTemplateDto,
  ): Promise<ApiResponse> {
    return readTemplateResponse(await this.templates.find(accountId, id), fields);
  }

  @Delete(':id')
  @RequireScope('templates:write')
  @Reach('none')
  @ApiOperation({
    summary: 'Delete a template',
    description:
      'Permanently deletes the template and its versions. Documents created from it keep its id.',
  })
  @ApiPreconditions()
  @ApiOkResponse({ type: DeletedTemplateDto, description: 'The template is deleted.' })
  @Refuses(TEMPLATES.delete)
  async delete(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
  ): Promise<DeletedTemplateDto> {
    await this.templates.delete({ id, preconditions }, context);
    return { id, deleted: true };
  }

  @Post(':id/preview')
  @HttpCode(200)
  @RequireScope('templates:read')
  @Reach('none')
  @ApiOperation({
    summary: 'Preview a document made from a template',
    description:
      'Does not store anything. `meta.warnings` lists the optional variables that are empty.',
  })
  @ApiBody({ type: PreviewTemplateDto, required: false, examples: PREVIEW_TEMPLATE_EXAMPLES })
  @ApiOkResponse({ type: TemplatePreviewDto, description: 'The initial fields of the document.' })
  @Refuses(TEMPLATES.preview)
  async preview(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Body() { templateVariables }: PreviewTemplateDto,
  ): Promise<ApiResponse> {
    const filled = await this.filling.preview(accountId, id, templateVariables);
    return new ApiResponse(presentPreview(filled), { warnings: filled.warnings });
  }

  @Patch(':id')
  @RequireScope('templates:write')
  @Reach('none')
  @ApiOperation({
    operationId: 'patchTemplate',
    summary: 'Change a template',
    description: `Takes a JSON Merge Patch (RFC 7396): omitted fields keep their value. A list of variables replaces the current list. ${EFFECT}`,
  })
  @ApiPreconditions()
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiBody({ type: PatchTemplateDto, required: false })
  @ApiOkResponse({ type: TemplateDto, description: 'The template.', headers: headers('ETag') })
  @Refuses(TEMPLATES.patch)
  async patch(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() body: PatchTemplateDto,
  ): Promise<ApiResponse> {
    const { accountId } = context.principal;
    const patched = async (before: Template) =>
      this.threads.valid(accountId, applyPatch(before, body));
    return this.response(await this.templates.change({ id, preconditions }, context, patched));
  }

  @Put(':id')
  @RequireScope('templates:write')
  @Reach('none')
  @ApiOperation({
    operationId: 'replaceTemplate',
    summary: 'Replace a template',
    description: `Omitted fields are reset to their defaults. ${EFFECT}`,
  })
  @ApiPreconditions()
  @ApiBody({ type: ReplaceTemplateDto })
  @ApiOkResponse({ type: TemplateDto, description: 'The template.', headers: headers('ETag') })
  @Refuses(TEMPLATES.replace)
  async replace(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @SentPreconditions() preconditions: Preconditions,
    @Body() body: ReplaceTemplateDto,
  ): Promise<ApiResponse> {
    const { accountId } = context.principal;
    const replaced = () => this.threads.valid(accountId, templateFields(body));
    return this.response(await this.templates.change({ id, preconditions }, context, replaced));
  }

  @Get(':id/versions')
  @RequireScope('templates:read')
  @Reach('none')
  @ApiOperation({
    operationId: 'listTemplateVersions',
    summary: 'List the versions of a template',
    description: 'Newest first, including the current version, without their content.',
  })
  @ApiOkResponse({ type: TemplateVersionListItemDto, isArray: true, description: 'One page.' })
  async listVersions(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Query() query: CreationOrderDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.templates.listVersions(accountId, id, query);
    return new ApiResponse(templateVersionPresenter.list(rows), { pagination });
  }

  @Get(':id/versions/:number')
  @RequireScope('templates:read')
  @Reach('none')
  @ApiOperation({ operationId: 'readTemplateVersion', summary: 'Read a version of a template' })
  @ApiParam(NUMBER)
  @ApiOkResponse({ type: TemplateVersionDto, description: 'The template at this version.' })
  @Refuses(TEMPLATES.readVersion)
  async readVersion(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Param('number') number: string,
  ): Promise<ApiResponse> {
    const version = await this.templates.findVersion(accountId, id, number);
    return new ApiResponse(templateVersionPresenter.whole(version));
  }

  @Post(':id/versions/:number/restore')
  @HttpCode(200)
  @RequireScope('templates:write')
  @Reach('none')
  @ApiOperation({
    operationId: 'restoreTemplateVersion',
    summary: 'Restore a version of a template',
    description:
      'Creates a new version with the fields of the old one. If they equal the current fields, nothing is written.',
  })
  @ApiPreconditions()
  @ApiParam(NUMBER)
  @ApiOkResponse({ type: TemplateDto, description: 'The template.', headers: headers('ETag') })
  @Refuses(TEMPLATES.restoreVersion)
  async restoreVersion(
    @CurrentContext() context: RequestContext,
    @Param('id') id: string,
    @Param('number') number: string,
    @SentPreconditions() preconditions: Preconditions,
  ): Promise<ApiResponse> {
    return this.response(await this.templates.restore({ id, preconditions }, number, context));
  }

  private async response(template: Template, location?: string): Promise<ApiResponse> {
    const warnings = await this.threads.warnings(template.accountId, template);
    return templateResponse(template, warnings, location);
  }
}
