import { Body, Controller, Param, Patch, Put } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentContext, RequireScope } from '../access/auth/authentication.js';
import type { RequestContext } from '../access/auth/request-context.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import {
  SentPreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import { headers } from '../../platform/openapi/headers.js';
import { ApiPreconditions, Refuses } from '../../platform/openapi/route-decorators.js';
import { PatchTemplateDto, ReplaceTemplateDto } from './dto/change-template.dto.js';
import { TemplateDto } from './dto/template.dto.js';
import { templateWarnings } from './template-warnings.js';
import { presentTemplate, templateETag } from './template.presenter.js';
import type { Template } from './template-fields.js';
import { TemplatesService } from './templates.service.js';
import { templateFields, applyPatch } from './apply-patch.js';
import { TEMPLATES } from './templates.refusals.js';
const EFFECT = 'Makes one version; when nothing changes, nothing is written.';

@ApiTags('templates')
@Controller('templates')
export class TemplateChangesController {
  constructor(private readonly templates: TemplatesService) {}

  @Patch(':id')
  @RequireScope('templates:write')
  @ApiOperation({
    operationId: 'patchTemplate',
    summary: 'Change a template',
    description: `A JSON Merge Patch (RFC 7396): what is not named stays, a list of variables replaces the one before. ${EFFECT}`,
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
    const wanted = (before: Template) => applyPatch(before, body);
    return answer(await this.templates.change({ id, preconditions }, context, wanted));
  }

  @Put(':id')
  @RequireScope('templates:write')
  @ApiOperation({
    operationId: 'replaceTemplate',
    summary: 'Replace a template',
    description: `What is left out becomes as in a new template. ${EFFECT}`,
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
    return answer(
      await this.templates.change({ id, preconditions }, context, () => templateFields(body)),
    );
  }
}

function answer(template: Template): ApiResponse {
  return new ApiResponse(presentTemplate(template), {
    etag: templateETag(template),
    warnings: templateWarnings(template),
  });
}
