import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { MoreThan, Not } from 'typeorm';
import type { Person } from '../../../access/auth/person.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { notFound } from '../../../../platform/basics/errors/app-error.js';
import { newUuid, uuidOf } from '../../../../platform/basics/identifiers/identifiers.js';
import { Log } from '../../../../platform/operation/log/log.js';
import type { Client } from '../client.js';
import { SessionEntity } from '../entities/session.entity.js';
import { hashToken, issueToken, isToken } from '../secret-token.js';
import { readSessionCookie } from './session-cookie.js';
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from '../session-lifetime.js';

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

const MINUTE_MS = 60_000;

interface SessionRow extends Omit<Session, 'user'>, Omit<Person, 'id'> {
  userId: string;
}

/** A browser in which somebody is signed in. Ids are UUIDs. */
export interface Session {
  id: string;
  user: Person;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  seenAt: Date;
  expiresAt: Date;
}

/**
 * Who is signed in where. Nothing is cached: a session is looked up at each request, so that its end holds on every
 * replica for every request begun after it.
 */
@Injectable()
export class SessionRepository {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Begins a session; the token for its cookie, which cannot be had again. */
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
    await this.database
      .repository(SessionEntity)
      .insert({ ...session, tokenHash, userId: user.id });
    return { token, session: { ...session, user } };
  }

  /** The session whose cookie a request carries; `undefined` when it carries none that is in force. */
  async of(request: Request): Promise<Session | undefined> {
    const token = readSessionCookie(request);
    return token === undefined ? undefined : this.find(token);
  }

  /** The session with this token, if it is in force. Keeps when it was seen. */
  async find(token: string): Promise<Session | undefined> {
    if (!isToken(token)) return undefined;
    const now = this.clock.now();
    const [row] = await this.database.run<SessionRow>(FIND, [
      hashToken(token),
      now,
      idleSince(now),
    ]);
    if (!row) return undefined;
    if (now.getTime() - row.seenAt.getTime() >= MINUTE_MS) this.touch(row.id, now);
    const { userId, name, email, ...session } = row;
    return { ...session, user: { id: userId, name, email } };
  }

  /** The sessions of a user that are in force, the one used last first. */
  async list(user: Person): Promise<Session[]> {
    const now = this.clock.now();
    const rows = await this.database.repository(SessionEntity).find({
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
    const { affected } = await this.database.repository(SessionEntity).delete({ id, userId });
    if (affected !== 1) throw notFound('session');
  }

  /** Ends a session. */
  async end({ id }: Pick<Session, 'id'>): Promise<void> {
    await this.database.repository(SessionEntity).delete({ id });
  }

  /** Ends all sessions of the user but this one. */
  async endOthers({ id, user }: Pick<Session, 'id' | 'user'>): Promise<void> {
    await this.database.repository(SessionEntity).delete({ userId: user.id, id: Not(id) });
  }

  /** Ends all sessions of the user. */
  async endAll(userId: string): Promise<void> {
    await this.database.repository(SessionEntity).delete({ userId });
  }

  /** Never waited for: that a session was seen is worth no request. */
  private touch(id: string, now: Date): void {
    this.database.run(TOUCH, [id, now]).catch((error: unknown) => {
      this.log.warn({ err: error }, 'The last use of a session could not be written.');
    });
  }
}

function idleSince(now: Date): Date {
  return new Date(now.getTime() - SESSION_IDLE_MS);
}
