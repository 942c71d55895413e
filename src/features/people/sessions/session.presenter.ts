import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { LinkDto } from './dto/link.dto.js';
import type { SessionDto } from './dto/session.dto.js';
import type { OneTimeLink } from './links/one-time-links.repository.js';
import type { Session } from './session/sessions.repository.js';

export function presentSession(session: Session, current: Session): SessionDto {
  const { id, createdAt, seenAt, expiresAt, address, userAgent } = session;
  return {
    id: encodeId('session', id),
    createdAt: createdAt.toISOString(),
    seenAt: seenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    address,
    userAgent,
    current: id === current.id,
  };
}

/** Presents a link to anyone who opens it, such as the person who invites. It does not tell whether the address has a user. */
export function presentLink(link: OneTimeLink, firstUser: boolean): LinkDto {
  const { purpose, email, account, role, invitedBy, user, expiresAt } = link;
  return {
    purpose,
    email: purpose === 'password' ? (user?.email ?? null) : email,
    account: account && { id: encodeId('account', account.id), name: account.name },
    role,
    invitedBy: invitedBy?.name ?? null,
    firstUser,
    expiresAt: expiresAt.toISOString(),
  };
}
