import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../platform/database/database.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { readItems } from '../../../platform/http/pagination/read-page.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import { CurrentPrincipal, RequireScope } from '../../auth/auth.decorators.js';
import type { Principal } from '../../auth/principal.js';
import { ListMembersDto, NamedMemberDto } from './dto/named-member.dto.js';
import { listMemberNames } from './members.repository.js';

/** The names of those who can be in the access of a collection. */
@ApiTags('account')
@Controller('members')
export class MemberNamesController {
  constructor(private readonly database: Database) {}

  @Get()
  @RequireScope('access:write')
  @Reach('account')
  @ApiOperation({
    operationId: 'listMemberNames',
    summary: 'List the names of members',
    description:
      'The people and service accounts of the account by name, for the access of collections. Email addresses are not part of the response.',
  })
  @ApiOkResponse({ type: NamedMemberDto, isArray: true, description: 'One page.' })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListMembersDto,
  ): Promise<ApiResponse> {
    const members = await listMemberNames(this.database, accountId, query);
    const { rows, pagination } = await readItems(accountId, members, query);
    const data = rows.map(({ userId, ...member }) => ({ id: encodeId('user', userId), ...member }));
    return new ApiResponse(JSON.stringify(data satisfies NamedMemberDto[]), { pagination });
  }
}
