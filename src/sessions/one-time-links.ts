import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, type FindOptionsWhere } from 'typeorm';
import type { Person } from '../auth/person.js';
import type { Role } from '../auth/roles.js';
import { Clock } from '../clock/clock.js';
import { Database } from '../database/database.js';
import { AppError } from '../errors/app-error.js';
import { newUuid } from '../identifiers/identifiers.js';
import { OneTimeLinkEntity, type LinkPurpose } from './entities/one-time-link.entity.js';
import { hashToken, issueToken, isToken } from './secret-token.js';

export type { LinkPurpose };

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
  'first-run': 7 * DAY_MS,
  invitation: 7 * DAY_MS,
  password: DAY_MS,
};

/** What a link is to lead to. Ids are UUIDs. */
export interface NewLink {
  purpose: LinkPurpose;
  /** Whose password it sets. */
  userId?: string;
  /** Normalised; left out where whoever uses it says which. */
  email?: string;
  accountId?: string;
  role?: Role;
  invitedBy?: string;
}

/** The token of a link, this once: only its hash is kept. */
export interface IssuedLink {
  id: string;
  token: string;
  createdAt: Date;
  expiresAt: Date;
}

/** A link as it is kept. Ids are UUIDs. */
export interface OneTimeLink {
  id: string;
  purpose: LinkPurpose;
  user: Person | null;
  email: string | null;
  account: { id: string; name: string } | null;
  role: Role | null;
  invitedBy: Person | null;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Links that carry a secret to one person and work once: to begin, to join an account, to set a password. They are kept
 * as hashes and expire.
 */
@Injectable()
export class OneTimeLinks {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async create(link: NewLink): Promise<IssuedLink> {
    const { token, tokenHash } = issueToken();
    const id = newUuid();
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS[link.purpose]);
    await this.database
      .repository(OneTimeLinkEntity)
      .insert({ ...link, id, tokenHash, createdAt, expiresAt });
    return { id, token, createdAt, expiresAt };
  }

  /** The link with this token, while it is good. Throws `not_found` that says why it is not. */
  async find(token: string): Promise<OneTimeLink> {
    return linkOf(await this.good(token));
  }

  /** Uses the link up, in the caller's transaction; of two at once one gets it. Throws like {@link find}. */
  async take(token: string): Promise<OneTimeLink> {
    const { id } = await this.good(token);
    const usedAt = this.clock.now();
    const { affected } = await this.database
      .repository(OneTimeLinkEntity)
      .update({ id, usedAt: IsNull(), revokedAt: IsNull() }, { usedAt });
    // Another one has used it while this one waited for the row.
    if (affected !== 1) throw await this.refusal(token);
    return linkOf(await this.row({ id }));
  }

  /** Invitations to an account that are still good, oldest first. */
  async openInvitations(accountId: string): Promise<OneTimeLink[]> {
    const rows = await this.database.repository(OneTimeLinkEntity).find({
      where: this.isGood({ accountId, purpose: 'invitation' }),
      relations: RELATIONS,
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return rows.map(linkOf);
  }

  /** A new token for an open invitation, for its full time; the old one ends. `undefined` where there is none. */
  async renewInvitation(accountId: string, id: string): Promise<IssuedLink | undefined> {
    return this.database.transaction(async () => {
      const links = this.database.repository(OneTimeLinkEntity);
      const row = await links.findOne({
        where: this.isGood({ id, accountId, purpose: 'invitation' }),
        lock: { mode: 'pessimistic_write' },
      });
      if (!row) return undefined;
      const { createdAt } = row;
      const now = this.clock.now();
      const { token, tokenHash } = issueToken();
      const expiresAt = new Date(now.getTime() + LIFETIME_MS.invitation);
      await links.update({ id }, { tokenHash, expiresAt });
      // The old token is kept as a link of its own, to say what became of it.
      await links.insert(Object.assign(row, { id: newUuid(), revokedAt: now }));
      return { id, token, createdAt, expiresAt };
    });
  }

  /** Takes an open invitation back; whether there was one. */
  async revokeInvitation(accountId: string, id: string): Promise<boolean> {
    return (await this.revoke({ id, accountId, purpose: 'invitation' })) > 0;
  }

  /** Takes back the open invitations to these roles that a member has made; how many. */
  async revokeInvitationsBy(
    accountId: string,
    invitedBy: string,
    roles: readonly Role[],
  ): Promise<number> {
    return this.revoke({ accountId, invitedBy, role: In(roles), purpose: 'invitation' });
  }

  /** Ends the links that would set a password of this user. */
  async revokeAllOf(userId: string): Promise<void> {
    await this.revoke({ userId });
  }

  /** Ends the open links of this kind for an e-mail address. */
  async revokeFor(email: string, purpose: LinkPurpose): Promise<void> {
    await this.revoke({ email, purpose });
  }

  private async revoke(where: FindOptionsWhere<OneTimeLinkEntity>): Promise<number> {
    const revokedAt = this.clock.now();
    const { affected } = await this.database
      .repository(OneTimeLinkEntity)
      .update(this.isGood(where), { revokedAt });
    return affected ?? 0;
  }

  private isGood(where: FindOptionsWhere<OneTimeLinkEntity>): FindOptionsWhere<OneTimeLinkEntity> {
    const expiresAt = MoreThan(this.clock.now());
    return { ...where, usedAt: IsNull(), revokedAt: IsNull(), expiresAt };
  }

  private async good(token: string): Promise<OneTimeLinkEntity> {
    const row = isToken(token) ? await this.row({ tokenHash: hashToken(token) }) : null;
    const problem = problemOf(row, this.clock.now());
    if (problem) throw linkIsNoGood(problem);
    return row as OneTimeLinkEntity;
  }

  private async refusal(token: string): Promise<AppError> {
    const row = await this.row({ tokenHash: hashToken(token) });
    return linkIsNoGood(problemOf(row, this.clock.now()) ?? 'used');
  }

  private row(where: FindOptionsWhere<OneTimeLinkEntity>): Promise<OneTimeLinkEntity | null> {
    return this.database.repository(OneTimeLinkEntity).findOne({ where, relations: RELATIONS });
  }
}

const RELATIONS = { user: true, account: true, inviter: true } as const;

const REASONS = {
  used: 'This link was used already. Sign in, or ask whoever gave it to you for a new one.',
  expired: 'This link has expired. Ask whoever gave it to you for a new one.',
  revoked:
    'This link was replaced by a newer one or taken back. Use the newest one, or ask for another.',
  unknown: 'This link is not known here. Check that all of it was copied, or ask for a new one.',
} as const;
type LinkProblem = keyof typeof REASONS;

/** The answer to a link that is no more good. */
export function linkIsNoGood(problem: LinkProblem): AppError {
  return new AppError('not_found', REASONS[problem], { code: problem });
}

function problemOf(row: OneTimeLinkEntity | null, now: Date): LinkProblem | undefined {
  if (!row) return 'unknown';
  if (row.usedAt) return 'used';
  if (row.revokedAt) return 'revoked';
  return row.expiresAt <= now ? 'expired' : undefined;
}

function linkOf(row: OneTimeLinkEntity | null): OneTimeLink {
  if (!row) throw new Error('A link vanished while it was used.');
  const { id, purpose, email, role, createdAt, expiresAt, user, account, inviter } = row;
  return {
    ...{ id, purpose, email, role, createdAt, expiresAt },
    user: user && { id: user.id, name: user.name, email: user.email },
    account: account && { id: account.id, name: account.name },
    invitedBy: inviter && { id: inviter.id, name: inviter.name, email: inviter.email },
  };
}
