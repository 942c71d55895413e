import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../../platform/background/background-tasks.js';
import { systemContext, type RequestContext } from '../../auth/request-context.js';
import type { Scope } from '../../auth/scopes.js';
import { AccessTokensRepository } from '../../auth/tokens/access-tokens.repository.js';
import { KeysService, type AppEnd } from '../../keys/keys.service.js';
import { OAuthError } from '../oauth-error.js';
import type { AppToken } from './app-tokens.repository.js';

const ACCESS_LIFETIME_MS = HOUR_MS;

/** The program that sends a request to the token endpoint. */
export type Sender = Pick<RequestContext, 'requestId' | 'clientAddress' | 'userAgent'>;

/** A response of the token endpoint (RFC 6749, section 5.1). */
export interface TokenResponse {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  /** Separated by spaces. */
  scope: string;
}

/** The key whose access a request ends, although the request itself is refused. */
interface Misuse {
  endOf: Pick<AppToken, 'keyId' | 'accountId' | 'userId'>;
  reason: AppEnd;
}

/** The result of a transaction that must commit even if the request is refused. */
export type Outcome = { response: TokenResponse } | { refusal: OAuthError; misuse?: Misuse };

/** Creates and ends the tokens of connected apps. */
@Injectable()
export class AppAccessService {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly keys: KeysService,
  ) {}

  /** Creates an access token with these scopes, and a refresh token with all scopes of the key. */
  async issue(
    keyId: string,
    scopes: Scope[],
    key: Pick<AppToken, 'scopes' | 'keyExpiresAt'>,
    now: Date,
  ): Promise<TokenResponse> {
    const unlimited = { documents: null, minuteLimit: null, label: null };
    const token = { ...unlimited, keyId, createdAt: now };
    const end = Math.min(now.getTime() + ACCESS_LIFETIME_MS, key.keyExpiresAt.getTime());
    const access = { ...token, kind: 'access', scopes, expiresAt: new Date(end) } as const;
    const { scopes: all, keyExpiresAt: expiresAt } = key;
    return {
      access_token: await this.tokens.create(access),
      token_type: 'Bearer',
      expires_in: Math.floor((end - now.getTime()) / 1000),
      refresh_token: await this.tokens.create({
        ...token,
        kind: 'refresh',
        scopes: all,
        expiresAt,
      }),
      scope: scopes.join(' '),
    };
  }

  /** Returns the tokens, or ends a misused access and throws the refusal. Call it after the commit. */
  async settle(outcome: Outcome, sender: Sender): Promise<TokenResponse> {
    if ('response' in outcome) return outcome.response;
    if (outcome.misuse) await this.end(outcome.misuse, sender);
    throw outcome.refusal;
  }

  /** Ends the access of an app. The audit log names the reason. */
  async end({ endOf, reason }: Misuse, sender: Sender): Promise<void> {
    const { keyId, accountId, userId: id } = endOf;
    // The audit entry of the system needs only the account.
    const context = systemContext('service', accountId, { id, name: '', email: '' });
    await this.keys.endApp(keyId, reason, { ...context, ...sender });
  }
}

export function invalidGrant(message: string): OAuthError {
  return new OAuthError('invalid_grant', message);
}

export function otherClient(): OAuthError {
  return invalidGrant('This was given to another app.');
}

export function invalidTarget(): OAuthError {
  return new OAuthError(
    'invalid_target',
    'The resource is not the one that the app was given access to.',
  );
}
