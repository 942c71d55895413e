import type { PersonPrincipal } from '../../auth/principal.js';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { OneTimeLink } from '../sessions/links/one-time-links.repository.js';
import type { Member } from './members.repository.js';
import type { InvitationDto, MemberDto } from './dto/member.dto.js';
import type { IssuedInvitation } from './invitations/invitations.service.js';

export function presentMember(member: Member, { user }: PersonPrincipal): MemberDto {
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

export function presentInvitation({
  id,
  email,
  role,
  invitedBy,
  createdAt,
  expiresAt,
}: OneTimeLink) {
  return {
    id: encodeId('invitation', id),
    email: email ?? '',
    role: role ?? 'viewer',
    invitedBy: invitedBy?.name ?? null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  } satisfies InvitationDto;
}

/** Returns the response to a new invitation, with its link. */
export function invitationResponse(
  { invitation }: IssuedInvitation,
  link: string,
  warnings: FieldProblem[],
): ApiResponse {
  return new ApiResponse(JSON.stringify({ ...presentInvitation(invitation), link }), { warnings });
}

/** Returns the response to a renewed invitation: its new link. */
export function linkResponse(link: string, warnings: FieldProblem[]): ApiResponse {
  return new ApiResponse(JSON.stringify({ link }), { warnings });
}
