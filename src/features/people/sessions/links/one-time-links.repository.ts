import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, type FindOptionsWhere } from 'typeorm';
import type { Person } from '../../../access/auth/person.js';
import type { Role } from '../../../access/auth/roles.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { newUuid } from '../../../../platform/basics/identifiers/identifiers.js';
import { OneTimeLinkEntity, type LinkPurpose } from '../entities/one-time-link.entity.js';
import { hashToken, issueToken, isToken } from '../secret-token.js';

export type { LinkPurpose };

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
  'first-run': 7 * DAY_MS,
  invitation: 7 * DAY_MS,
  password: DAY_MS,
};

/** What only refers to the account does not wait. */
const LOCK_ACCOUNT: Statement = {
  name: 'links.lock-account',
  text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
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

/** The tokens of a link, this once: only their hashes are stored. */
export interface IssuedLink {
  id: string;
  /** For whoever makes the link. */
  token: string;
  /** Only ever sent by mail to the address, which its use proves. */
  mailedToken: string;
  createdAt: Date;
  expiresAt: Date;
}

/** A link as it is kept. Ids are UUIDs. */
export interface OneTimeLink {
  id: string;
  purpose: LinkPurpose;
  user: Person | null;
  email: string | null;
  /** True if it was found by the token that only a mail to {@link email} held. */
  provesEmail: boolean;
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
export class OneTimeLinkRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async create(link: NewLink): Promise<IssuedLink> {
    const { tokens, hashes } = issueTokens();
    const id = newUuid();
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS[link.purpose]);
    await this.database
      .repository(OneTimeLinkEntity)
      .insert({ ...link, id, ...hashes, createdAt, expiresAt });
    return { id, ...tokens, createdAt, expiresAt };
  }

  /** The link with this token, while it is good. Throws `not_found` that says why it is not. */
  async find(token: string): Promise<OneTimeLink> {
    return linkOf(await this.good(token), token);
  }

  /**
   * Uses the link up, in the caller's transaction; of two at once one gets it. Locks its account first, as whoever takes
   * invitations back does. Throws like {@link find}.
   */
  async take(token: string): Promise<OneTimeLink> {
    const { id, accountId } = await this.good(token);
    if (accountId !== null) await this.database.run(LOCK_ACCOUNT, [accountId]);
    const usedAt = this.clock.now();
    const { affected } = await this.database
      .repository(OneTimeLinkEntity)
      .update({ id, usedAt: IsNull(), revokedAt: IsNull() }, { usedAt });
    // Another one has used it while this one waited for the row.
    if (affected !== 1) throw await this.refusal(token);
    return linkOf(await this.row({ id }), token);
  }

  /** Invitations to an account that are still good, oldest first. */
  async openInvitations(accountId: string): Promise<OneTimeLink[]> {
    const rows = await this.database.repository(OneTimeLinkEntity).find({
      where: this.isGood({ accountId, purpose: 'invitation' }),
      relations: RELATIONS,
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return rows.map((row) => linkOf(row));
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
      const { tokens, hashes } = issueTokens();
      const expiresAt = new Date(now.getTime() + LIFETIME_MS.invitation);
      await links.update({ id }, { ...hashes, expiresAt });
      // The old tokens stay as a link of their own, to say what became of it.
      await links.insert(Object.assign(row, { id: newUuid(), revokedAt: now }));
      return { id, ...tokens, createdAt, expiresAt };
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

  /** Revokes all open invitations that a user has made, in whatever accounts. */
  async revokeAllInvitationsBy(invitedBy: string): Promise<number> {
    return this.revoke({ invitedBy, purpose: 'invitation' });
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
    const row = isToken(token) ? await this.rowOf(token) : null;
    const problem = problemOf(row, this.clock.now());
    if (problem) throw linkIsNoGood(problem);
    return row as OneTimeLinkEntity;
  }

  private async refusal(token: string): Promise<AppError> {
    const row = await this.rowOf(token);
    return linkIsNoGood(problemOf(row, this.clock.now()) ?? 'used');
  }

  private rowOf(token: string): Promise<OneTimeLinkEntity | null> {
    const hash = hashToken(token);
    return this.row([{ tokenHash: hash }, { mailedTokenHash: hash }]);
  }

  private row(
    where: FindOptionsWhere<OneTimeLinkEntity> | FindOptionsWhere<OneTimeLinkEntity>[],
  ): Promise<OneTimeLinkEntity | null> {
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

function issueTokens() {
  const [shown, mailed] = [issueToken(), issueToken()];
  return {
    tokens: { token: shown.token, mailedToken: mailed.token },
    hashes: { tokenHash: shown.tokenHash, mailedTokenHash: mailed.tokenHash },
  };
}

/** `token`: by which it was found, if it was. */
function linkOf(row: OneTimeLinkEntity | null, token?: string): OneTimeLink {
  if (!row) throw new Error('A link vanished while it was used.');
  const { id, purpose, email, role, createdAt, expiresAt, user, account, inviter } = row;
  return {
    ...{ id, purpose, email, role, createdAt, expiresAt },
    provesEmail: token !== undefined && row.mailedTokenHash?.equals(hashToken(token)) === true,
    user: user && { id: user.id, name: user.name, email: user.email },
    account: account && { id: account.id, name: account.name },
    invitedBy: inviter && { id: inviter.id, name: inviter.name, email: inviter.email },
  };
}
