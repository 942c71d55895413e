import { Injectable } from '@nestjs/common';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/background/background-tasks.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { hashApiKey } from '../../auth/api-keys/api-key.js';
import { mayConnectApps } from '../../auth/connected-app.js';
import type { Scope } from '../../auth/scopes.js';
import { isWellFormedToken, tokenKindOf } from '../../auth/tokens/access-token.js';
import { isOwnResource } from '../authorizations/authorization-request.js';
import { OAuthError } from '../oauth-error.js';
import {
  AppAccessService,
  invalidGrant,
  invalidTarget,
  otherClient,
  type Outcome,
  type Sender,
  type TokenResponse,
} from './app-access.service.js';
import { AppTokensRepository, type AppToken } from './app-tokens.repository.js';

/** A replaced refresh token still works for this long, because clients refresh in parallel and lose responses. */
const GRACE_MS = 10 * MINUTE_MS;
/** An app that was not used for this long loses its access. */
export const IDLE_MS = 30 * DAY_MS;
/** A replaced refresh token is stored for this long, so that its use can end the access. */
const REMEMBERED_MS = 30 * DAY_MS;
/** Maximum refreshes of one app within an hour. A client needs one an hour, several in parallel. */
const MAX_REFRESHES = 200;

export interface RefreshGrant {
  refreshToken: string;
  clientId: string;
  scope: string | undefined;
  resource: string | undefined;
}

/** Replaces and revokes the tokens of connected apps. */
@Injectable()
export class TokenRefreshService {
  constructor(
    private readonly database: Database,
    private readonly appTokens: AppTokensRepository,
    private readonly access: AppAccessService,
    private readonly clock: Clock,
  ) {}

  /**
   * Exchanges a refresh token for new tokens. It keeps working for 10 minutes; after that, its use ends the access. Throws
   * an {@link OAuthError}.
   */
  async refresh(grant: RefreshGrant, issuer: string, sender: Sender): Promise<TokenResponse> {
    const { refreshToken, resource } = grant;
    if (!isWellFormedToken(refreshToken, 'refresh'))
      throw invalidGrant('This is no refresh token.');
    if (resource !== undefined && !isOwnResource(resource, issuer)) throw invalidTarget();
    const hash = hashApiKey(refreshToken);
    const outcome = await this.database.transaction(async (): Promise<Outcome> => {
      const now = this.clock.now();
      const token = await this.appTokens.hold(hash, earlier(now, HOUR_MS));
      if (token?.kind !== 'refresh') return { refusal: invalidGrant('This token is unknown.') };
      const refusal = refreshRefusal(token, grant, now);
      if (refusal) return { refusal };
      if (token.rotatedAt && token.rotatedAt < earlier(now, GRACE_MS)) {
        const message =
          'This refresh token was replaced more than 10 minutes ago. The access was ended, because somebody else may have the token. Connect the app again.';
        return {
          refusal: invalidGrant(message),
          misuse: { endOf: token, reason: 'old refresh token used' },
        };
      }
      await this.appTokens.rotate(token, now, new Date(now.getTime() + REMEMBERED_MS));
      const scopes = narrowed(token, grant);
      return { response: await this.access.issue(token.keyId, scopes, token, now) };
    });
    return this.access.settle(outcome, sender);
  }

  /**
   * Ends a token of an app (RFC 7009). A refresh token ends the access with all its tokens. Does nothing for an unknown
   * token. Throws an {@link OAuthError} for a token of another app.
   */
  async revoke(text: string, clientId: string | undefined, sender: Sender): Promise<void> {
    const kind = tokenKindOf(text);
    if (kind === undefined || !isWellFormedToken(text, kind)) return;
    const token = await this.database.transaction(async () => {
      const found = await this.appTokens.hold(hashApiKey(text), this.clock.now());
      if (!found) return undefined;
      if (clientId !== undefined && found.client.id !== clientId) throw otherClient();
      if (found.kind === 'access') await this.appTokens.remove(found);
      return found;
    });
    if (token?.kind === 'refresh') {
      await this.access.end({ endOf: token, reason: 'disconnected by the app' }, sender);
    }
  }
}

function refreshRefusal(token: AppToken, grant: RefreshGrant, now: Date): OAuthError | undefined {
  const { keyExpiresAt, role } = token;
  if (token.client.id !== grant.clientId) return otherClient();
  if (token.revokedAt) return invalidGrant('This access was ended. Connect the app again.');
  if (keyExpiresAt <= now || token.expiresAt <= now || token.usedAt <= earlier(now, IDLE_MS)) {
    return invalidGrant('This access has expired. Connect the app again.');
  }
  if (!role || token.isSuspended || !mayConnectApps(token.connectedApps, role)) {
    return invalidGrant('The person who connected this app can no longer do so.');
  }
  if (token.recent >= MAX_REFRESHES) {
    return new OAuthError(
      'slow_down',
      'This app refreshes its access too often. Try again in an hour.',
    );
  }
  if (narrowed(token, grant).length > 0) return undefined;
  return new OAuthError(
    'invalid_scope',
    'The app was given none of these scopes. Connect it again.',
  );
}

/** Returns the scopes of an access token: those of the key, or of these those that the app asks for. */
function narrowed({ scopes }: AppToken, { scope }: RefreshGrant): Scope[] {
  const asked = scope?.split(' ');
  return asked ? scopes.filter((one) => asked.includes(one)) : scopes;
}

function earlier(time: Date, byMs: number): Date {
  return new Date(time.getTime() - byMs);
}
