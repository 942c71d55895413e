import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../../../../platform/config/config.js';
import type { Person } from '../../../auth/person.js';
import { clientOf, type Client } from '../client.js';
import type { SessionStateDto } from '../dto/session.dto.js';
import { UserAuditService } from '../users/user-audit.service.js';
import { clearSessionCookie, setSessionCookie } from './session-cookie.js';
import { SessionStateService } from './session-state.service.js';
import { SessionsRepository, type Session } from './sessions.repository.js';

/** Starts and ends browser sessions: the row, the cookie, and the audit entry. */
@Injectable()
export class BrowserSessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly state: SessionStateService,
    private readonly audit: UserAuditService,
    private readonly config: Config,
  ) {}

  /** Returns the signed-in user of the browser, if any. */
  async userOf(request: Request): Promise<Person | undefined> {
    return (await this.sessions.findByRequest(request))?.user;
  }

  /** Signs the user in, replacing the browser's current session, and returns the new state. `how` is audited. */
  async begin(
    user: Person,
    how: 'password' | 'link' | 'oidc' | 'sign-up',
    request: Request,
    response: Response,
  ): Promise<SessionStateDto> {
    const former = await this.sessions.findByRequest(request);
    const client = clientOf(request);
    const change = { action: 'user.sign_in', userId: user.id, client, details: { how } } as const;
    const { token, session } = await this.audit.recorded(change, async () => {
      if (former) await this.sessions.end(former);
      return this.sessions.create(user, client);
    });
    setSessionCookie(response, token, isSecure(request, this.config));
    return this.state.read(session);
  }

  /** Signs in the user of a link, unless the link does not allow it or the browser has a session of that user. */
  async beginByLink(
    { user, signsIn }: { user: Person; signsIn: boolean },
    request: Request,
    response: Response,
  ): Promise<SessionStateDto> {
    if (!signsIn) return this.state.read(undefined);
    const present = await this.sessions.findByRequest(request);
    if (present?.user.id === user.id) return this.state.read(present);
    return this.begin(user, 'link', request, response);
  }

  /** Signs the browser out, if it is signed in. */
  async end(request: Request, response: Response): Promise<void> {
    const session = await this.sessions.findByRequest(request);
    if (session) {
      const [userId, client] = [session.user.id, clientOf(request)];
      const change = { action: 'user.sign_out', userId, client } as const;
      await this.audit.recorded(change, () => this.sessions.end(session));
    }
    clearSessionCookie(response, isSecure(request, this.config));
  }

  /** Ends a session of the user, given by its public ID. Throws `not_found`. */
  async endOne({ user }: Session, publicId: string, client: Client): Promise<void> {
    const details = { sessionId: publicId };
    const change = { action: 'user.end_sessions', userId: user.id, client, details } as const;
    await this.audit.recorded(change, () => this.sessions.endOne(user.id, publicId));
  }

  /** Ends all sessions of the user except this one. */
  async endOthers(session: Session, client: Client): Promise<void> {
    const change = { action: 'user.end_sessions', userId: session.user.id, client } as const;
    await this.audit.recorded(change, () => this.sessions.endOthers(session));
  }
}

/** True if the browser reaches the service over TLS. */
export function isSecure({ secure }: Request, { publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  return secure || publicUrl?.startsWith('https:') === true;
}
