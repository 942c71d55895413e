import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import type { Request } from 'express';
import { MembershipsRepository } from '../../src/features/auth/accounts/memberships.repository.js';
import { AuthModule } from '../../src/features/auth/auth.module.js';
import { Authenticators } from '../../src/features/auth/guards/authenticators.js';
import type { Authenticator } from '../../src/features/auth/authenticator.js';
import type { PersonPrincipal } from '../../src/features/auth/principal.js';
import type { Role } from '../../src/features/auth/roles.js';
import { AppError } from '../../src/platform/basics/errors/app-error.js';
import type { ApiClient, ApiResponse, RequestOptions } from '../support/api-client.js';
import type { TestAccount } from '../support/accounts.js';
import type { TestApp } from '../support/app.js';

/** Sessions in memory, identified by a cookie: an authenticator like the one in docs/contribute/add-an-authenticator.md. */
@Injectable()
export class FakeSessions implements Authenticator, OnModuleInit {
  private readonly sessions = new Map<string, { userId: string; accountId: string }>();

  constructor(
    private readonly authenticators: Authenticators,
    private readonly members: MembershipsRepository,
  ) {}

  onModuleInit(): void {
    this.authenticators.register(this);
  }

  begin(token: string, userId: string, accountId: string): void {
    this.sessions.set(token, { userId, accountId });
  }

  end(token: string): void {
    this.sessions.delete(token);
  }

  async authenticate({ headers }: Request): Promise<PersonPrincipal | undefined> {
    const token = /(?:^|; )session=([^;]+)/.exec(headers.cookie ?? '')?.[1];
    if (token === undefined || headers.authorization !== undefined) return undefined;
    const session = this.sessions.get(token);
    const member = session && (await this.members.principalOf(session.userId, session.accountId));
    if (!member) throw new AppError('unauthorized', 'This session has ended. Sign in again.');
    return member;
  }
}

@Module({ imports: [AuthModule], providers: [FakeSessions] })
export class FakeSessionsModule {}

/** Signs in a member of the account with a role. */
export async function signIn(
  app: TestApp,
  { accountId, userId }: TestAccount,
  role: Role,
): Promise<SignedIn> {
  await app.dataSource.query(
    `INSERT INTO members (account_id, user_id, role, created_at) VALUES ($1, $2, $3, now())
     ON CONFLICT (account_id, user_id) DO UPDATE SET role = EXCLUDED.role`,
    [accountId, userId, role],
  );
  const sessions = app.app.get(FakeSessions, { strict: false });
  const token = `${role}-${userId}-${accountId}`;
  sessions.begin(token, userId, accountId);
  return new SignedIn(app.api(), token, () => {
    sessions.end(token);
  });
}

/** The API as a person uses it in a browser. */
export class SignedIn {
  constructor(
    private readonly api: ApiClient,
    private readonly token: string,
    readonly signOut: () => void,
  ) {}

  get headers(): Record<string, string> {
    return { cookie: `theme=dark; session=${this.token}` };
  }

  send(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    return this.api.send(method, path, {
      ...options,
      headers: { ...this.headers, ...options.headers },
    });
  }
}
