import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import { normalizeEmail } from '../../access/auth/accounts/email-address.js';
import { MembershipRepository } from '../../access/auth/accounts/memberships.repository.js';
import { MemberEntity } from '../../access/auth/entities/member.entity.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import type { Role } from '../../access/auth/roles.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { AppError, notFound } from '../../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../../platform/basics/identifiers/identifiers.js';
import { OneTimeLinkRepository, type IssuedLink, type OneTimeLink } from '../sessions/links/one-time-links.repository.js';
import { Quotas } from '../../usage/quotas.js';
import { requireManageable } from './account-members.service.js';
import { lockAccount } from '../../access/auth/accounts/accounts.repository.js';

/** An invitation with the tokens of its links, this once. */
export interface IssuedInvitation {
  invitation: OneTimeLink;
  /** For whoever invites. */
  token: string;
  /** For the mail: its use proves the address. */
  mailedToken: string;
}

/**
 * InvitationsService to an account: links that work once. An open one takes a place in the quota `members`, so that who accepts
 * always has one.
 */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly quotas: Quotas,
    private readonly links: OneTimeLinkRepository,
    private readonly members: MembershipRepository,
    private readonly clock: Clock,
  ) {}

  /** Those that can still be accepted. */
  list(accountId: string): Promise<OneTimeLink[]> {
    return this.links.openInvitations(accountId);
  }

  /**
   * Invites somebody. Throws `forbidden` for a role that who asks may not give, or when the plan allows no more members,
   * and `conflict` for who belongs to the account or is invited already.
   */
  async create(text: string, role: Role, context: RequestContext): Promise<IssuedInvitation> {
    const { accountId, plan, user } = context.principal;
    const email = normalizeEmail(text);
    const owner = { accountId, plan, caller: context.caller };
    return this.quotas.whereRoom(owner, 'members', async () => {
      await this.requireManager(context, role);
      await this.requireNew(accountId, email);
      const link = { purpose: 'invitation', email, accountId, role, invitedBy: user.id } as const;
      const { id, token, mailedToken } = await this.links.create(link);
      await this.audit('invitation.create', id, context, { email, role });
      return { invitation: await this.find(accountId, id), token, mailedToken };
    });
  }

  /** A new link for an open invitation; the old one ends. Throws `not_found`, and `forbidden` as {@link create} does. */
  async renew(publicId: string, context: RequestContext): Promise<IssuedInvitation> {
    const { accountId } = context.principal;
    const id = uuidOf('invitation', publicId);
    return this.database.transaction(async () => {
      const { role } = await this.find(accountId, id);
      await this.requireManager(context, role);
      const issued: IssuedLink | undefined = await this.links.renewInvitation(accountId, id);
      if (!issued) throw notFound('invitation');
      await this.audit('invitation.renew', id, context);
      const { token, mailedToken } = issued;
      return { invitation: await this.find(accountId, id), token, mailedToken };
    }, context.caller);
  }

  /** Takes an open invitation back. Throws as {@link renew} does. */
  async revoke(publicId: string, context: RequestContext): Promise<void> {
    const { accountId } = context.principal;
    const id = uuidOf('invitation', publicId);
    await this.database.transaction(async () => {
      const { role } = await this.find(accountId, id);
      await this.requireManager(context, role);
      if (!(await this.links.revokeInvitation(accountId, id))) throw notFound('invitation');
      await this.audit('invitation.revoke', id, context);
    }, context.caller);
  }

  /** Throws `forbidden` unless who asks may, as it is now: the role may have changed since the request began. */
  private async requireManager({ principal }: RequestContext, role: Role | null): Promise<void> {
    const { accountId, user } = principal;
    await lockAccount(this.database, accountId);
    const actor = await this.members.principalOf(user.id, accountId);
    if (!actor) throw notFound('account');
    requireManageable(actor.role, role ?? 'owner');
  }

  private async requireNew(accountId: string, email: string): Promise<void> {
    const where = { accountId, user: { email } };
    if (await this.database.repository(MemberEntity).existsBy(where)) throw isMember();
    const open = await this.links.openInvitations(accountId);
    if (open.some((invitation) => invitation.email === email)) throw isInvited();
  }

  private async find(accountId: string, id: string): Promise<OneTimeLink> {
    const found = (await this.links.openInvitations(accountId)).find((one) => one.id === id);
    if (!found) throw notFound('invitation');
    return found;
  }

  private async audit(
    action: 'invitation.create' | 'invitation.renew' | 'invitation.revoke',
    resourceId: string,
    context: RequestContext,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const entry = { action, resourceId, at: this.clock.now(), context, details };
    await insertAuditEntry(this.database, entry);
  }
}

/** The answer to an invitation of who belongs to the account. */
export function isMember(): AppError {
  return new AppError('conflict', 'This user belongs to the account already.', {
    field: 'email',
    issue: 'is a member',
  });
}

/** The answer to a second invitation of the same address. */
export function isInvited(): AppError {
  return new AppError(
    'conflict',
    'This address is invited already. Copy a new link of that invitation, or take it back first.',
    { field: 'email', issue: 'is invited' },
  );
}
