import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../../auth/auth.decorators.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import type { Principal } from '../../auth/principal.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { readNumberedItems } from '../../../platform/http/pagination/read-page.js';
import { AccountSettingsService } from '../settings/account-settings.service.js';
import { AnalysisRuleDto, ListAnalysisRulesDto } from './analysis-rules.dto.js';
import { findRules, type ListedRule } from './rule-list.js';

@ApiTags('analysis')
@Controller('analysis-rules')
export class AnalysisRulesController {
  constructor(private readonly settings: AccountSettingsService) {}

  @Get()
  @RequireScope('documents:analyze')
  @Reach('account')
  @ApiOperation({
    operationId: 'listAnalysisRules',
    summary: 'List the analysis rules',
    description:
      'All rules with examples, except style rules. `disabledRules` of the analysis settings switches rules off.',
  })
  @ApiOkResponse({ type: AnalysisRuleDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListAnalysisRulesDto,
  ): Promise<ApiResponse> {
    const { disabledRules } = await this.settings.find(accountId);
    const disabled = new Set(disabledRules);
    const rules = findRules(query, disabled);
    const read = (first: number, last: number) => Promise.resolve(rules.slice(first - 1, last));
    const list = { ownerId: accountId, total: rules.length, read };
    const { rows, pagination } = await readNumberedItems(list, query);
    const shown = rows.map((rule) => presentRule(rule, disabled.has(rule.id)));
    return new ApiResponse(JSON.stringify(shown), { pagination });
  }
}

function presentRule(rule: ListedRule, disabled: boolean): AnalysisRuleDto {
  const { id, category, severity, languages, description, example, source } = rule;
  return { id, category, severity, languages, description, example, source, disabled };
}
