import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../auth/auth.decorators.js';
import { Reach } from '../auth/access/reach.decorators.js';
import type { Principal } from '../auth/principal.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { Refuses } from '../../platform/openapi/route-decorators.js';
import { presentEntry } from './audit-entry.presenter.js';
import { AuditEntryDto, filtersOf, ListAuditDto } from './dto/audit.dto.js';
import { AUDIT } from './audit.refusals.js';
import { AuditRepository } from './audit.repository.js';

@ApiTags('audit')
@Controller('audit')
export class AuditController {
  constructor(private readonly audit: AuditRepository) {}

  @Get()
  @RequireScope('audit:read')
  @Reach('account')
  @ApiOperation({
    operationId: 'listAuditEntries',
    summary: 'List the audit log',
    description:
      'Lists who did what to which resource, newest first. Entries commit with the change and are never changed or removed. All filters must match.',
  })
  @ApiOkResponse({ type: AuditEntryDto, isArray: true, description: 'One page.' })
  @Refuses(AUDIT.list)
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListAuditDto,
  ): Promise<ApiResponse> {
    const { rows, pagination } = await this.audit.list(accountId, filtersOf(query), query);
    return new ApiResponse(JSON.stringify(rows.map(presentEntry)), { pagination });
  }

  @Get(':id')
  @RequireScope('audit:read')
  @Reach('account')
  @ApiOperation({ operationId: 'readAuditEntry', summary: 'Read an audit log entry' })
  @ApiOkResponse({ type: AuditEntryDto, description: 'The entry.' })
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
  ): Promise<AuditEntryDto> {
    return presentEntry(await this.audit.find(accountId, id));
  }
}
