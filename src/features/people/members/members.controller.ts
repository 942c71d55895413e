import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Query,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentContext } from '../../auth/auth.decorators.js';
import { Reach } from '../../auth/access/reach.decorators.js';
import type { PersonPrincipal } from '../../auth/principal.js';
import type { RequestContext } from '../../auth/request-context.js';
import { CurrentPerson, RequireRole } from '../../auth/guards/role.guard.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { presentMember } from './member.presenter.js';
import { AccountMembersService } from './account-members.service.js';
import { ChangeMemberDto, MemberDto, RemoveMemberDto } from './dto/member.dto.js';
import { MEMBERS } from './members.refusals.js';

@ApiTags('members')
@Controller({ path: 'dashboard/api/accounts/:accountId/members', version: VERSION_NEUTRAL })
export class MembersController {
  constructor(private readonly members: AccountMembersService) {}

  @Get()
  @RequireRole('viewer')
  @Reach('account')
  @ApiOperation({ summary: 'List the members of the account' })
  @ApiOkResponse({
    type: MemberDto,
    isArray: true,
    description: 'Owners first, then admins, members and viewers.',
  })
  async list(@CurrentPerson() person: PersonPrincipal): Promise<MemberDto[]> {
    const members = await this.members.list(person.accountId);
    return members.map((member) => presentMember(member, person));
  }

  @Patch(':userId')
  @RequireRole('admin')
  @Reach('account')
  @ApiOperation({
    summary: 'Change the role of a member',
    operationId: 'changeMember',
    description: 'Owners can change all members; admins can change members and viewers.',
  })
  @ApiOkResponse({
    type: MemberDto,
    description: 'The member. The role applies from the next request on.',
  })
  @Refuses(MEMBERS.change)
  async change(
    @CurrentPerson() person: PersonPrincipal,
    @CurrentContext() context: RequestContext,
    @Param('userId') userId: string,
    @Body() { role }: ChangeMemberDto,
  ): Promise<MemberDto> {
    return presentMember(await this.members.changeRole(userId, role, context), person);
  }

  @Delete(':userId')
  @HttpCode(204)
  @RequireRole('viewer')
  @Reach('account')
  @ApiOperation({
    summary: 'Remove a member, or leave',
    operationId: 'removeMember',
    description:
      'Members can remove themselves. Owners can remove all members; admins can remove members and viewers. Pending invitations from a removed member are revoked.',
  })
  @ApiNoContentResponse({ description: 'The user is no longer a member.' })
  @Refuses(MEMBERS.remove)
  async remove(
    @CurrentContext() context: RequestContext,
    @Param('userId') userId: string,
    @Query() { revokeKeys = false }: RemoveMemberDto,
  ): Promise<void> {
    await this.members.remove(userId, revokeKeys, context);
  }
}
