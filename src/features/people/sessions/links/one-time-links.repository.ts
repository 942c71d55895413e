import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, MoreThan, Repository, type FindOptionsWhere } from 'typeorm';
import type { Person } from '../../../auth/person.js';
import type { Role } from '../../../auth/roles.js';
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

/** Inserting rows that only reference the account does not wait. */
const LOCK_ACCOUNT: Statement = {
  name: 'links.lock-account',
  text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
};

/** A link to create. Ids are UUIDs. */
export interface NewLink {
  purpose: LinkPurpose;
  /** The user whose password it sets. */
  userId?: string;
  /** Normalized; missing if the person who uses the link enters it. */
  email?: string;
  accountId?: string;
  role?: Role;
  invitedBy?: string;
}

/** A new link with its tokens, which cannot be retrieved later: only their hashes are stored. */
export interface IssuedLink {
  id: string;
  /** For the creator of the link. */
  token: string;
  /** Sent only by mail, so using it verifies the address. */
  mailedToken: string;
  createdAt: Date;
  expiresAt: Date;
}

/** A stored link. Ids are UUIDs. */
export interface OneTimeLink {
  id: string;
  purpose: LinkPurpose;
  user: Person | null;
  email: string | null;
  /** True if it was found by the token that was sent only to {@link email}. */
  provesEmail: boolean;
  account: { id: string; name: string } | null;
  role: Role | null;
  invitedBy: Person | null;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Secret links for one person that expire and can be used once: to start using the dashboard, to join an account, or to
 * set a password. Only hashes are stored.
 */
@Injectable()
export class OneTimeLinksRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(OneTimeLinkEntity) private readonly links: Repository<OneTimeLinkEntity>,
    private readonly clock: Clock,
  ) {}

  async create(link: NewLink): Promise<IssuedLink> {
    const { tokens, hashes } = issueTokens();
    const id = newUuid();
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS[link.purpose]);
    await this.links.insert({ ...link, id, ...hashes, createdAt, expiresAt });
    return { id, ...tokens, createdAt, expiresAt };
  }

  /** Finds a valid link by its token. Throws `not_found` with the reason otherwise. */
  async find(token: string): Promise<OneTimeLink> {
    return linkOf(await this.validRow(token), token);
  }

  /**
   * Uses up the link, in the caller's transaction. Only one of several concurrent calls succeeds. Locks its account
   * first, in the same order as revoking an invitation. Throws like {@link find}.
   */
  async take(token: string): Promise<OneTimeLink> {
    const { id, accountId } = await this.validRow(token);
    if (accountId !== null) await this.database.run(LOCK_ACCOUNT, [accountId]);
    const usedAt = this.clock.now();
    const { affected } = await this.links.update(
      { id, usedAt: IsNull(), revokedAt: IsNull() },
      { usedAt },
    );
    // Another request used it while this one waited for the row lock.
    if (affected !== 1) throw await this.refusal(token);
    return linkOf(await this.row({ id }), token);
  }

  /** Lists the pending invitations to an account, oldest first. */
  async openInvitations(accountId: string): Promise<OneTimeLink[]> {
    const rows = await this.links.find({
      where: this.isPending({ accountId, purpose: 'invitation' }),
      relations: RELATIONS,
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return rows.map((row) => linkOf(row));
  }

  /** Replaces the tokens of a pending invitation and restarts its lifetime. Returns `undefined` if there is none. */
  async renewInvitation(accountId: string, id: string): Promise<IssuedLink | undefined> {
    return this.database.transaction(async () => {
      const row = await this.links.findOne({
        where: this.isPending({ id, accountId, purpose: 'invitation' }),
        lock: { mode: 'pessimistic_write' },
      });
      if (!row) return undefined;
      const { createdAt } = row;
      const now = this.clock.now();
      const { tokens, hashes } = issueTokens();
      const expiresAt = new Date(now.getTime() + LIFETIME_MS.invitation);
      await this.links.update({ id }, { ...hashes, expiresAt });
      // Store the old tokens as a revoked link, so that their error can say that the link was replaced.
      await this.links.insert(Object.assign(row, { id: newUuid(), revokedAt: now }));
      return { id, ...tokens, createdAt, expiresAt };
    });
  }

  /** Revokes a pending invitation. Returns false if there is none. */
  async revokeInvitation(accountId: string, id: string): Promise<boolean> {
    return (await this.revoke({ id, accountId, purpose: 'invitation' })) > 0;
  }

  /** Revokes a member's pending invitations to these roles. Returns their number. */
  async revokeInvitationsBy(
    accountId: string,
    invitedBy: string,
    roles: readonly Role[],
  ): Promise<number> {
    return this.revoke({ accountId, invitedBy, role: In(roles), purpose: 'invitation' });
  }

  /** Revokes all pending invitations that a user created, in any account. */
  async revokeAllInvitationsBy(invitedBy: string): Promise<number> {
    return this.revoke({ invitedBy, purpose: 'invitation' });
  }

  /** Revokes the links that would set this user's password. */
  async revokeAllOf(userId: string): Promise<void> {
    await this.revoke({ userId });
  }

  /** Revokes the pending links of this kind for an e-mail address. */
  async revokeFor(email: string, purpose: LinkPurpose): Promise<void> {
    await this.revoke({ email, purpose });
  }

  private async revoke(where: FindOptionsWhere<OneTimeLinkEntity>): Promise<number> {
    const revokedAt = this.clock.now();
    const { affected } = await this.links.update(this.isPending(where), { revokedAt });
    return affected ?? 0;
  }

  private isPending(
    where: FindOptionsWhere<OneTimeLinkEntity>,
  ): FindOptionsWhere<OneTimeLinkEntity> {
    const expiresAt = MoreThan(this.clock.now());
    return { ...where, usedAt: IsNull(), revokedAt: IsNull(), expiresAt };
  }

  private async validRow(token: string): Promise<OneTimeLinkEntity> {
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
    return this.links.findOne({ where, relations: RELATIONS });
  }
}

const RELATIONS = { user: true, account: true, inviter: true } as const;

const REASONS = {
  used: 'This link has already been used. Sign in, or request a new one from the person who sent it.',
  expired: 'This link has expired. Request a new one from the person who sent it.',
  revoked:
    'This link was replaced by a newer one or revoked. Use the newest one, or request another.',
  unknown: 'This link is unknown. Check that you copied all of it, or request a new one.',
} as const;
type LinkProblem = keyof typeof REASONS;

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

/** `token`: the token it was found by, if any. */
function linkOf(row: OneTimeLinkEntity | null, token?: string): OneTimeLink {
  if (!row) throw new Error('A link disappeared while it was being used.');
  const { id, purpose, email, role, createdAt, expiresAt, user, account, inviter } = row;
  return {
    ...{ id, purpose, email, role, createdAt, expiresAt },
    provesEmail: token !== undefined && row.mailedTokenHash?.equals(hashToken(token)) === true,
    user: user && { id: user.id, name: user.name, email: user.email },
    account: account && { id: account.id, name: account.name },
    invitedBy: inviter && { id: inviter.id, name: inviter.name, email: inviter.email },
  };
}
