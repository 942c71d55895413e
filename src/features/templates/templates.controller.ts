import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../access/auth/authentication.js';
import type { RequestContext } from '../access/auth/request-context.js';
import type { Principal } from '../access/auth/principal.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { askedOf } from '../../platform/http/envelope/asked-fields.js';
import { partialTag } from '../../platform/http/envelope/entity-tags.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { headers } from '../../platform/openapi/headers.js';
import { ApiPreconditions, Refuses } from '../../platform/openapi/route-decorators.js';
import { CreateTemplateDto } from './dto/create-template.dto.js';
import {
  CREATE_TEMPLATE_EXAMPLES,
  PREVIEW_TEMPLATE_EXAMPLES,
} from './dto/create-template.examples.js';
import { ListTemplatesDto, ReadTemplateDto } from './dto/list-templates.dto.js';
import { PreviewTemplateDto, TemplatePreviewDto } from './dto/preview-template.dto.js';
import { DeletedTemplateDto, TemplateDto, TemplateListItemDto } from './dto/template.dto.js';
import { TemplateFilling } from './template-filling.js';
import { SHOWN_FIELDS } from './template-fields.js';
import { TemplatePages } from './template-pages.js';
import { templateWarnings } from './template-warnings.js';
import {
  LISTED_FIELDS,
  presentFields,
  presentPreview,
  presentTemplate,
  templateETag,
} from './template.presenter.js';
import { TemplatesService } from './templates.service.js';
import { templateFields } from './apply-patch.js';
import { TEMPLATES } from './templates.refusals.js';

@ApiTags('templates')
@Controller('templates')
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly pages: TemplatePages,
    private readonly filling: TemplateFilling,
  ) {}

  @Post()
  @RequireScope('templates:write')
  @ApiOperation({
    summary: 'Create a template',
    description:
      '`{{name}}` is the place of a variable in title, content and the texts of metadata; `\\{{name}}` stays as `{{name}}`. `meta.warnings` tells what was probably not meant, such as a variable that is not declared.',
  })
  @ApiBody({ type: CreateTemplateDto, examples: CREATE_TEMPLATE_EXAMPLES })
  @ApiCreatedResponse({
    type: TemplateDto,
    description: 'The template as it was stored.',
    headers: headers('ETag'),
  })
  @Refuses(TEMPLATES.create)
  async create(
    @CurrentContext() context: RequestContext,
    @Body() body: CreateTemplateDto,
  ): Promise<ApiResponse> {
    const template = await this.templates.create(templateFields(body), context);
    return new ApiResponse(presentTemplate(template), {
      location: `/v1/templates/${encodeId('template', template.id)}`,
      etag: templateETag(template),
      warnings: templateWarnings(template),
    });
  }

  @Get()
  @RequireScope('templates:read')
  @ApiOperation({
    summary: 'List templates',
    description:
      'Newest first, without their content. Every account begins with five templates, one for each type of document.',
  })
  @ApiOkResponse({ type: TemplateListItemDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListTemplatesDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.pages.list(accountId, query);
    const shown = query.fields ? askedOf(LISTED_FIELDS, query.fields) : LISTED_FIELDS;
    const items = rows.map((row) => presentFields(row, shown));
    return new ApiResponse(`[${items.join(',')}]`, { pagination });
  }

  @Get(':id')
  @RequireScope('templates:read')
  @ApiOperation({ summary: 'Read a template' })
  @ApiOkResponse({ type: TemplateDto, description: 'The template.', headers: headers('ETag') })
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Query() { fields }: ReadTemplateDto,
  ): Promise<ApiResponse> {
    const template = await this.templates.find(accountId, id);
    if (fields) {
      const asked = askedOf(SHOWN_FIELDS, fields);
      const etag = partialTag(templateETag(template), asked);
      return new ApiResponse(presentFields(template, asked), { etag });
    }
    return new ApiResponse(presentTemplate(template), { etag: templateETag(template) });
  }

  @Delete(':id')
  @RequireScope('templates:write')
  @ApiOperation({
    summary: 'Delete a template',
    description: 'For good, with its versions. Documents made from it stay and keep its id.',
  })
  @ApiPreconditions()
  @ApiOkResponse({ type: DeletedTemplateDto, description: 'It is gone.' })
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
  @ApiOperation({
    summary: 'Preview a document made from a template',
    description: 'Writes nothing. `meta.warnings` tells which optional variables are empty.',
  })
  @ApiBody({ type: PreviewTemplateDto, required: false, examples: PREVIEW_TEMPLATE_EXAMPLES })
  @ApiOkResponse({ type: TemplatePreviewDto, description: 'What the document would begin with.' })
  @Refuses(TEMPLATES.preview)
  async preview(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Body() { templateVariables }: PreviewTemplateDto,
  ): Promise<ApiResponse> {
    const filled = await this.filling.preview(accountId, id, templateVariables);
    return new ApiResponse(presentPreview(filled), { warnings: filled.warnings });
  }
}
