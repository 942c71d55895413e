import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { AppError, notFound } from '../../../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../../../platform/database/database.js';
import { AccountsRepository } from '../../../auth/accounts/accounts.repository.js';
import { normalizeEmail } from '../../../auth/accounts/email-address.js';
import { MembershipsRepository } from '../../../auth/accounts/memberships.repository.js';
import type { RequestContext } from '../../../auth/request-context.js';
import type { Role } from '../../../auth/roles.js';
import { insertAuditEntry } from '../../../audit/audit.repository.js';
import { QuotasService } from '../../../usage/quotas/quotas.service.js';
import { isMember } from '../../sessions/links/invitation-use.service.js';
import {
  OneTimeLinksRepository,
  type IssuedLink,
  type OneTimeLink,
} from '../../sessions/links/one-time-links.repository.js';
import { requireManageable } from '../account-members.service.js';

/** An invitation with the tokens for its links, which cannot be retrieved later. */
export interface IssuedInvitation extends Pick<IssuedLink, 'token' | 'mailedToken'> {
  invitation: OneTimeLink;
}

/**
 * Invitations to an account, which are one-time links. A pending invitation counts against the quota `members`, so
 * accepting it never exceeds the quota.
 */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly quotas: QuotasService,
    private readonly links: OneTimeLinksRepository,
    private readonly accounts: AccountsRepository,
    private readonly members: MembershipsRepository,
    private readonly clock: Clock,
  ) {}

  /** Lists the pending invitations. */
  list(accountId: string): Promise<OneTimeLink[]> {
    return this.links.openInvitations(accountId);
  }

  /**
   * Invites a person. Throws `forbidden` if the requester cannot grant the role or the plan allows no more members, and
   * `conflict` if the person is a member or already invited.
   */
  async create(text: string, role: Role, context: RequestContext): Promise<IssuedInvitation> {
    const { accountId, plan, user } = context.principal;
    const email = normalizeEmail(text);
    const owner = { accountId, plan, caller: context.caller };
    return this.quotas.withinQuota(owner, 'members', async () => {
      await this.requireManager(context, role);
      await this.requireNew(accountId, email);
      const link = { purpose: 'invitation', email, accountId, role, invitedBy: user.id } as const;
      const { id, token, mailedToken } = await this.links.create(link);
      await this.audit('invitation.create', id, context, { email, role });
      return { invitation: await this.find(accountId, id), token, mailedToken };
    });
  }

  /** Replaces the link of a pending invitation. Throws `not_found`, and `forbidden` like {@link create}. */
  async renew(publicId: string, context: RequestContext): Promise<IssuedInvitation> {
    return this.change('invitation.renew', publicId, context, async (accountId, id) => {
      const issued = await this.links.renewInvitation(accountId, id);
      if (!issued) throw notFound('invitation');
      const { token, mailedToken } = issued;
      return { invitation: await this.find(accountId, id), token, mailedToken };
    });
  }

  /** Revokes a pending invitation. Throws like {@link renew}. */
  async revoke(publicId: string, context: RequestContext): Promise<void> {
    await this.change('invitation.revoke', publicId, context, async (accountId, id) => {
      if (!(await this.links.revokeInvitation(accountId, id))) throw notFound('invitation');
    });
  }

  private async change<Result>(
    action: 'invitation.renew' | 'invitation.revoke',
    publicId: string,
    context: RequestContext,
    work: (accountId: string, id: string) => Promise<Result>,
  ): Promise<Result> {
    const { accountId } = context.principal;
    const id = uuidOf('invitation', publicId);
    return this.database.transaction(async () => {
      const { role } = await this.find(accountId, id);
      await this.requireManager(context, role);
      const result = await work(accountId, id);
      await this.audit(action, id, context);
      return result;
    }, context.caller);
  }

  /** Throws `forbidden` unless the requester's current role can manage `role`. It may have changed since authentication. */
  private async requireManager({ principal }: RequestContext, role: Role | null): Promise<void> {
    const { accountId, user } = principal;
    await this.accounts.lock(accountId);
    const actor = await this.members.principalOf(user.id, accountId);
    if (!actor) throw notFound('account');
    requireManageable(actor.role, role ?? 'owner');
  }

  private async requireNew(accountId: string, email: string): Promise<void> {
    if (await this.members.hasMember(accountId, email)) throw isMember();
    const pending = await this.links.openInvitations(accountId);
    if (pending.some((invitation) => invitation.email === email)) throw isInvited();
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

export function isInvited(): AppError {
  return new AppError(
    'conflict',
    'This address is already invited. Copy a new link of that invitation, or revoke it first.',
    { field: 'email', issue: 'is invited' },
  );
}
