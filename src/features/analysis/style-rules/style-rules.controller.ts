import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentContext, CurrentPrincipal, RequireScope } from '../../auth/auth.decorators.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import type { Principal } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { JobDto } from '../../jobs/dto/job.dto.js';
import { jobResponse } from '../../jobs/job.presenter.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { StyleRuleCompiler } from './style-rule-compiler.js';
import {
  createdRulesResponse,
  presentListedRules,
  presentStyleRules,
} from './style-rules.presenter.js';
import { completeRules } from './style-rule.js';
import {
  CreateStyleRulesDto,
  ImportedStyleRulesDto,
  ImportStyleRulesDto,
  InactiveStyleRulesDto,
  ListStyleRulesDto,
  StyleRuleFindingsDto,
  StyleRulesDto,
  TestStyleRulesDto,
} from './style-rules.dto.js';
import { StyleRulesService } from './style-rules.service.js';
import { STYLE_RULES } from '../analysis.refusals.js';

const VERSION = {
  name: 'version',
  description: 'Version number.',
  schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 999_999_999 },
  example: 1,
};

@ApiTags('analysis')
@Controller('style-rules')
export class StyleRulesController {
  constructor(
    private readonly styleRules: StyleRulesService,
    private readonly compiler: StyleRuleCompiler,
  ) {}

  @Get()
  @RequireScope('documents:analyze')
  @Reach('account')
  @ApiOperation({
    operationId: 'listStyleRules',
    summary: 'List style rule versions',
    description: 'Newest first. At most one version is active.',
  })
  @ApiOkResponse({ type: StyleRulesDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListStyleRulesDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.styleRules.list(accountId, query);
    return new ApiResponse(presentListedRules(rows), { pagination });
  }

  @Post()
  @RequireScope('documents:write')
  @Reach('account')
  @ApiOperation({
    operationId: 'createStyleRules',
    summary: 'Create a version of the style rules',
    description: 'The version has no effect until you activate it. Try it with a dry run first.',
  })
  @ApiCreatedResponse({ type: StyleRulesDto, description: 'The new version.' })
  async create(
    @CurrentContext() context: RequestContext,
    @Body() { rules }: CreateStyleRulesDto,
  ): Promise<ApiResponse> {
    const complete = JSON.stringify(completeRules(rules));
    await this.compiler.check(context.principal.accountId, complete);
    return createdRulesResponse(await this.styleRules.create(complete, context));
  }

  @Post('test')
  @HttpCode(200)
  @RequireScope('documents:analyze')
  @Reach('account')
  @ApiOperation({
    operationId: 'testStyleRules',
    summary: 'Try style rules on a text',
    description:
      'Neither the rules nor the text are stored. Rules can be tried before they are saved.',
  })
  @ApiOkResponse({ type: StyleRuleFindingsDto, description: 'What the rules report in the text.' })
  async test(
    @CurrentPrincipal() { accountId }: Principal,
    @Body() { rules, content }: TestStyleRulesDto,
  ): Promise<ApiResponse> {
    return new ApiResponse(await this.compiler.findIn(accountId, completeRules(rules), content));
  }

  @Post('import')
  @RequireScope('documents:write')
  @Reach('account')
  @ApiOperation({
    operationId: 'importStyleRules',
    summary: 'Import style rules from a Vale style',
    description:
      'Converts substitution, existence and occurrence rules into a new, inactive version. Rules without a counterpart are listed with the reason.',
  })
  @ApiCreatedResponse({ type: ImportedStyleRulesDto, description: 'The new version.' })
  @Refuses(STYLE_RULES.import)
  async import(
    @CurrentContext() context: RequestContext,
    @Body() { files }: ImportStyleRulesDto,
  ): Promise<ApiResponse> {
    const { rules, skipped } = await this.compiler.import(context.principal.accountId, files);
    return createdRulesResponse(await this.styleRules.create(rules, context), skipped);
  }

  @Post('deactivate')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('account')
  @ApiOperation({
    operationId: 'deactivateStyleRules',
    summary: 'Deactivate the style rules',
  })
  @ApiOkResponse({ type: InactiveStyleRulesDto, description: 'No version is active.' })
  async deactivate(@CurrentContext() context: RequestContext): Promise<InactiveStyleRulesDto> {
    await this.styleRules.deactivate(context);
    return { isActive: false };
  }

  @Get(':version')
  @RequireScope('documents:analyze')
  @Reach('account')
  @ApiOperation({ operationId: 'readStyleRules', summary: 'Read a version of the style rules' })
  @ApiParam(VERSION)
  @ApiOkResponse({ type: StyleRulesDto, description: 'The version.' })
  @Refuses(STYLE_RULES.read)
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('version') version: string,
  ): Promise<ApiResponse> {
    return new ApiResponse(presentStyleRules(await this.styleRules.find(accountId, version)));
  }

  @Post(':version/activate')
  @HttpCode(200)
  @RequireScope('documents:write')
  @Reach('account')
  @ApiOperation({
    operationId: 'activateStyleRules',
    summary: 'Activate a version of the style rules',
    description: 'Replaces the active version. New analyses use it.',
  })
  @ApiParam(VERSION)
  @ApiOkResponse({ type: StyleRulesDto, description: 'The version.' })
  @Refuses(STYLE_RULES.activate)
  async activate(
    @CurrentContext() context: RequestContext,
    @Param('version') version: string,
  ): Promise<ApiResponse> {
    return new ApiResponse(presentStyleRules(await this.styleRules.activate(version, context)));
  }

  @Post(':version/dry-run')
  @HttpCode(202)
  @RequireScope('documents:analyze')
  @Reach('everything')
  @ApiOperation({
    operationId: 'dryRunStyleRules',
    summary: 'Try a version of the style rules on all documents',
    description:
      'The documents do not change. The job reports the number of findings per rule with examples, and the documents with the most findings.',
  })
  @ApiParam(VERSION)
  @ApiAcceptedResponse({ type: JobDto, description: 'The job. `Location` is its path.' })
  @Refuses(STYLE_RULES.dryRun)
  async dryRun(
    @CurrentContext() context: RequestContext,
    @Param('version') version: string,
  ): Promise<ApiResponse> {
    return jobResponse(await this.styleRules.dryRun(version, context));
  }
}
