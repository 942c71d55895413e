import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../../../platform/background/background-tasks.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { Access } from '../../auth/access/access.js';
import { AccountsRepository } from '../../auth/accounts/accounts.repository.js';
import { MembershipsRepository } from '../../auth/accounts/memberships.repository.js';
import { mayConnectApps } from '../../auth/connected-app.js';
import type { RequestContext } from '../../auth/request-context.js';
import { commonScopes } from '../../auth/scopes.js';
import { KeysService } from '../../keys/keys.service.js';
import { AppKeysRepository } from '../authorizations/app-keys.repository.js';
import { AuthorizationCodesRepository } from '../authorizations/authorization-codes.repository.js';
import { isOwnResource } from '../authorizations/authorization-request.js';
import { MAX_APPS } from '../authorizations/authorizations.service.js';
import type { AuthorizationCodeEntity } from '../entities/authorization-code.entity.js';
import type { OAuthError } from '../oauth-error.js';
import {
  AppAccessService,
  invalidGrant,
  invalidTarget,
  otherClient,
  type Outcome,
  type Sender,
  type TokenResponse,
} from './app-access.service.js';

export interface CodeGrant {
  code: string;
  clientId: string;
  codeVerifier: string;
  redirectUri: string | undefined;
  resource: string | undefined;
}

/** Exchanges the codes of consents for tokens. */
@Injectable()
export class CodeExchangeService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly members: MembershipsRepository,
    private readonly codes: AuthorizationCodesRepository,
    private readonly apps: AppKeysRepository,
    private readonly access: AppAccessService,
    private readonly keys: KeysService,
    private readonly clock: Clock,
  ) {}

  /**
   * Exchanges a code for tokens and creates the key that they belong to. A code works once: a failed try uses it up, and a
   * second use ends the access. Throws an {@link OAuthError}.
   */
  async exchange(grant: CodeGrant, issuer: string, sender: Sender): Promise<TokenResponse> {
    const found = await this.codes.find(grant.code);
    if (!found) throw invalidGrant('This code is unknown.');
    // Commit before the error is thrown, so that a failed try uses the code up.
    const outcome = await this.database.transaction(
      async (): Promise<Outcome> => {
        await this.apps.lockAccount(found.accountId);
        const code = await this.codes.lock(found);
        if (!code) return { refusal: invalidGrant('This code is unknown.') };
        if (code.usedAt) return usedTwice(code);
        const now = this.clock.now();
        await this.codes.update(code, { usedAt: now });
        const refusal = codeRefusal(code, grant, issuer, now);
        return refusal ? { refusal } : this.connect(code, sender);
      },
      undefined,
      found.accountId,
    );
    return this.access.settle(outcome, sender);
  }

  /** Creates the key of an app and its first tokens. */
  private async connect(code: AuthorizationCodeEntity, sender: Sender): Promise<Outcome> {
    const { accountId, userId, client, collections } = code;
    const now = this.clock.now();
    await this.apps.lockMember(accountId, userId);
    const account = await this.accounts.read(accountId);
    const person = account.suspendedAt
      ? undefined
      : await this.members.principalOf(userId, accountId);
    if (!person || !mayConnectApps(account.connectedApps, person.role)) {
      return { refusal: invalidGrant('The person who connected this app can no longer do so.') };
    }
    if ((await this.apps.count(accountId, userId, now)) >= MAX_APPS) {
      return { refusal: invalidGrant('This person has connected too many apps.') };
    }
    const expiresAt = new Date(now.getTime() + code.days * DAY_MS);
    const scopes = [...commonScopes(code.scopes, person.scopes)];
    const access = Access.ofService(accountId);
    const context: RequestContext = { principal: person, access, ...sender };
    const { id } = await this.keys.createForApp(
      client,
      { scopes, expiresAt, collections },
      context,
    );
    await this.codes.update(code, { keyId: id });
    return {
      response: await this.access.issue(id, scopes, { scopes, keyExpiresAt: expiresAt }, now),
    };
  }
}

function usedTwice({ keyId, accountId, userId }: AuthorizationCodeEntity): Outcome {
  const refusal = invalidGrant(
    'This code was used before. The access that it gave was ended. Connect the app again.',
  );
  if (keyId === null) return { refusal };
  return { refusal, misuse: { endOf: { keyId, accountId, userId }, reason: 'code used twice' } };
}

function codeRefusal(
  code: AuthorizationCodeEntity,
  grant: CodeGrant,
  issuer: string,
  now: Date,
): OAuthError | undefined {
  const { clientId, redirectUri, codeVerifier, resource } = grant;
  if (code.expiresAt <= now) return invalidGrant('This code has expired. Connect the app again.');
  if (code.client.id !== clientId) return otherClient();
  if (redirectUri !== undefined && redirectUri !== code.redirectUri) {
    return invalidGrant('The redirect_uri is not the one that the code was sent to.');
  }
  if (resource !== undefined && resource !== (code.resource ?? resource)) return invalidTarget();
  if (resource !== undefined && !isOwnResource(resource, issuer)) return invalidTarget();
  if (!isVerifierOf(code.codeChallenge, codeVerifier)) {
    return invalidGrant('The code_verifier does not match the code_challenge.');
  }
  return undefined;
}

/** True if the challenge is the SHA-256 of the verifier (RFC 7636, method S256). */
function isVerifierOf(challenge: string, verifier: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const computed = createHash('sha256').update(verifier).digest();
  const expected = Buffer.from(challenge, 'base64url');
  return expected.length === computed.length && timingSafeEqual(expected, computed);
}
