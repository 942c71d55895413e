import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, RequireScope } from '../auth/authentication.js';
import type { Principal } from '../auth/principal.js';
import { Answer } from '../envelope/answer.js';
import { invalidFields, type FieldProblem } from '../errors/app-error.js';
import { Refuses } from '../openapi/route-decorators.js';
import { presentEntry } from './audit-entry.presenter.js';
import { AuditLog } from './audit-log.js';
import { AuditEntryDto } from './dto/audit-entry.dto.js';
import { filtersOf, ListAuditDto } from './dto/list-audit.dto.js';
import { actionProblems } from './dto/filter-problems.js';

@ApiTags('audit')
@Controller('audit')
export class AuditController {
  constructor(private readonly log: AuditLog) {}

  @Get()
  @RequireScope('audit:read')
  @ApiOperation({
    operationId: 'listAuditEntries',
    summary: 'List the audit log',
    description:
      'Who did what to which resource, newest first. Entries are written with the change itself and are never changed or removed. Filters can be combined; all must match.',
  })
  @ApiOkResponse({ type: AuditEntryDto, isArray: true, description: 'One page.' })
  @Refuses('Unknown action', invalidFields(actionProblems('document.created') as [FieldProblem]))
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListAuditDto,
  ): Promise<Answer> {
    const { rows, pagination } = await this.log.list(accountId, filtersOf(query), query);
    return new Answer(`[${rows.map(presentEntry).join(',')}]`, { pagination });
  }

  @Get(':id')
  @RequireScope('audit:read')
  @ApiOperation({ operationId: 'readAuditEntry', summary: 'Read an entry of the audit log' })
  @ApiOkResponse({ type: AuditEntryDto, description: 'The entry.' })
  async read(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
  ): Promise<Answer> {
    return new Answer(presentEntry(await this.log.find(accountId, id)));
  }
}
