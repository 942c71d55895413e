import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Not, Repository } from 'typeorm';
import {
  type BackgroundTask,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  RunsInBackground,
} from '../../../../platform/background/background-tasks.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { AppError, notFound } from '../../../../platform/basics/errors/app-error.js';
import { newUuid, uuidOf } from '../../../../platform/basics/identifiers/identifiers.js';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { Log } from '../../../../platform/operation/log.js';
import { UserEntity } from '../../../auth/entities/user.entity.js';
import type { Person } from '../../../auth/person.js';
import type { Client } from '../client.js';
import { SessionEntity } from '../entities/session.entity.js';
import { hashToken, issueToken, isToken } from '../secret-token.js';
import { readSessionCookie, SESSION_IDLE_MS, SESSION_LIFETIME_MS } from './session-cookie.js';

const FIND: Statement = {
  name: 'sessions.find',
  text: `SELECT session.id, session.address, session.user_agent AS "userAgent", session.created_at AS "createdAt",
                session.seen_at AS "seenAt", session.expires_at AS "expiresAt",
                person.id AS "userId", person.name, person.email
           FROM sessions AS session JOIN users AS person ON person.id = session.user_id
          WHERE session.token_hash = $1 AND session.expires_at > $2 AND session.seen_at > $3`,
};

const TOUCH: Statement = {
  name: 'sessions.touch',
  text: 'UPDATE sessions SET seen_at = $2 WHERE id = $1 AND seen_at < $2',
};

/** Rows of a table that one statement removes. */
const PURGE_BATCH = 1_000;
/** Ended links stay for 30 days, so that their errors can say what happened to them. */
const ENDED_LINKS_DAYS = 30;

const purge = (name: string, table: string, key: string, condition: string): Statement => ({
  name,
  text: `DELETE FROM ${table} WHERE ${key} IN (
           SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${String(PURGE_BATCH)} FOR UPDATE SKIP LOCKED)
         RETURNING true`,
});

const PURGE_EXPIRED = purge('sessions.purge-expired', 'sessions', 'id', 'expires_at <= $1');
const PURGE_IDLE = purge('sessions.purge-idle', 'sessions', 'id', 'seen_at <= $1');
const PURGE_LINKS = purge('sessions.purge-links', 'one_time_links', 'id', 'expires_at <= $1');
const PURGE_ATTEMPTS = purge(
  'sessions.purge-attempts',
  'sign_in_attempts',
  'bucket',
  'empty_at <= $1',
);
const PURGE_OIDC_ATTEMPTS = purge(
  'sessions.purge-oidc-attempts',
  'used_oidc_attempts',
  'state_hash',
  'expires_at <= $1',
);

/** A signed-in browser. Ids are UUIDs. */
export interface Session {
  id: string;
  user: Person;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  seenAt: Date;
  expiresAt: Date;
}

interface SessionRow extends Omit<Session, 'user'>, Omit<Person, 'id'> {
  userId: string;
}

/**
 * Sessions of users. Nothing is cached: each request looks up its session, so ending a session affects every later
 * request on every replica.
 */
@Injectable()
export class SessionsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>,
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Creates a session, in the caller's transaction. Returns the token for its cookie, which cannot be retrieved later.
   * Throws `unauthorized` if the user has lost the e-mail address since they were identified.
   */
  async create(user: Person, client: Client): Promise<{ token: string; session: Session }> {
    const { token, tokenHash } = issueToken();
    const now = this.clock.now();
    const session = {
      id: newUuid(),
      address: client.clientAddress,
      userAgent: client.userAgent,
      createdAt: now,
      seenAt: now,
      expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
    };
    await this.sessions.insert({ ...session, tokenHash, userId: user.id });
    // The new row's foreign key locks the user, whose address cannot change until the transaction ends.
    const { id, email } = user;
    if (!(await this.users.existsBy({ id, email }))) throw lostAddress();
    return { token, session: { ...session, user } };
  }

  /** Returns the active session for a request's cookie, if any. */
  async findByRequest(request: Request): Promise<Session | undefined> {
    const token = readSessionCookie(request);
    return token === undefined ? undefined : this.find(token);
  }

  /** Returns the active session with this token, if any, and records that it was used. */
  async find(token: string): Promise<Session | undefined> {
    if (!isToken(token)) return undefined;
    const now = this.clock.now();
    const values = [hashToken(token), now, idleSince(now)];
    const [row] = await this.database.lookUp<SessionRow>(FIND, values);
    if (!row) return undefined;
    if (now.getTime() - row.seenAt.getTime() >= MINUTE_MS) this.touch(row.id, now);
    const { userId, name, email, ...session } = row;
    return { ...session, user: { id: userId, name, email } };
  }

  /** Lists the active sessions of a user, most recently used first. */
  async list(user: Person): Promise<Session[]> {
    const now = this.clock.now();
    const rows = await this.sessions.find({
      where: { userId: user.id, expiresAt: MoreThan(now), seenAt: MoreThan(idleSince(now)) },
      order: { seenAt: 'DESC', id: 'DESC' },
    });
    return rows.map(({ id, address, userAgent, createdAt, seenAt, expiresAt }) => ({
      ...{ id, user, address, userAgent, createdAt, seenAt, expiresAt },
    }));
  }

  /** Ends a session of the user, given by its public id. Throws `not_found`. */
  async endOne(userId: string, publicId: string): Promise<void> {
    const id = uuidOf('session', publicId);
    const { affected } = await this.sessions.delete({ id, userId });
    if (affected !== 1) throw notFound('session');
  }

  async end({ id }: Pick<Session, 'id'>): Promise<void> {
    await this.sessions.delete({ id });
  }

  /** Ends all sessions of the user except this one. */
  async endOthers({ id, user }: Pick<Session, 'id' | 'user'>): Promise<void> {
    await this.sessions.delete({ userId: user.id, id: Not(id) });
  }

  async endAll(userId: string): Promise<void> {
    await this.sessions.delete({ userId });
  }

  /** Runs in the background, so that recording the last use does not delay the request. */
  private touch(id: string, now: Date): void {
    this.database.run(TOUCH, [id, now]).catch((error: unknown) => {
      this.log.warn({ err: error }, 'The last use of a session could not be written.');
    });
  }
}

/** Removes ended sessions and links, and sign-in attempts that no longer count. */
@RunsInBackground({ name: 'The removal of ended sessions', everyMs: HOUR_MS })
@Injectable()
export class SessionRetention implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    const now = this.clock.now();
    const linksEndedBy = new Date(now.getTime() - ENDED_LINKS_DAYS * DAY_MS);
    const removed = [
      await this.database.run(PURGE_EXPIRED, [now]),
      await this.database.run(PURGE_IDLE, [idleSince(now)]),
      await this.database.run(PURGE_LINKS, [linksEndedBy]),
      await this.database.run(PURGE_ATTEMPTS, [now]),
      await this.database.run(PURGE_OIDC_ATTEMPTS, [now]),
    ];
    return removed.some((rows) => rows.length === PURGE_BATCH);
  }
}

function lostAddress(): AppError {
  return new AppError(
    'unauthorized',
    'The e-mail address now belongs to another user, because its owner has verified it. Sign in with the sign-in provider, or ask the operator of the service for a link.',
  );
}

function idleSince(now: Date): Date {
  return new Date(now.getTime() - SESSION_IDLE_MS);
}
