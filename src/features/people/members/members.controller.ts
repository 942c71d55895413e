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
import { CurrentContext } from '../../access/auth/authentication.js';
import type { PersonPrincipal } from '../../access/auth/principal.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import { CurrentPerson, RequireRole } from '../../access/auth/role.guard.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { Refuses } from '../../../platform/openapi/route-decorators.js';
import { AccountMembers, type Member } from './account-members.js';
import { ChangeMemberDto, MemberDto, RemoveMemberDto } from './dto/member.dto.js';
import { MEMBERS } from './members.refusals.js';

/** Who belongs to an account. */
@ApiTags('members')
@Controller({ path: 'dashboard/api/accounts/:accountId/members', version: VERSION_NEUTRAL })
export class MembersController {
  constructor(private readonly members: AccountMembers) {}

  @Get()
  @RequireRole('viewer')
  @ApiOperation({ summary: 'List the members of the account' })
  @ApiOkResponse({ type: MemberDto, isArray: true, description: 'Who may most first.' })
  async list(@CurrentPerson() person: PersonPrincipal): Promise<MemberDto[]> {
    const members = await this.members.list(person.accountId);
    return members.map((member) => presentMember(member, person));
  }

  @Patch(':userId')
  @RequireRole('admin')
  @ApiOperation({
    summary: 'Give a member another role',
    operationId: 'changeMember',
    description: 'Owners change everybody; admins change members and viewers.',
  })
  @ApiOkResponse({ type: MemberDto, description: 'The member, as from the next request on.' })
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
  @ApiOperation({
    summary: 'Remove a member, or leave',
    operationId: 'removeMember',
    description:
      'Everybody may leave by the own id. Owners remove everybody; admins remove members and viewers. Open invitations by who is removed end.',
  })
  @ApiNoContentResponse({ description: 'The user belongs to the account no more.' })
  @Refuses(MEMBERS.remove)
  async remove(
    @CurrentContext() context: RequestContext,
    @Param('userId') userId: string,
    @Query() { revokeKeys = false }: RemoveMemberDto,
  ): Promise<void> {
    await this.members.remove(userId, revokeKeys, context);
  }
}

/** The one list of a member's public fields. */
function presentMember(member: Member, { user }: PersonPrincipal): MemberDto {
  const { userId, name, email, emailVerified, role, joinedAt, lastSeenAt, twoFactor } = member;
  return {
    userId: encodeId('user', userId),
    name,
    email,
    emailVerified,
    role,
    joinedAt: joinedAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    twoFactor,
    isYou: userId === user.id,
  };
}
