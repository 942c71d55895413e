import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Configuration } from 'openid-client';
import { currentTime } from '../../../../platform/basics/clock/current-time.js';
import { Config } from '../../../../platform/config/config.js';
import type { OidcSettings } from '../../../../platform/config/oidc-settings.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { reasonOf } from '../../../../platform/basics/errors/reason.js';
import { GuardedFetch } from '../../../../platform/network/guarded-fetch.js';
import { Log } from '../../../../platform/operation/log.js';

const TIMEOUT_S = 10;
/** Far larger than any document of a provider. */
const MAX_RESPONSE_BYTES = 1024 ** 2;
/** Larger skews reset the configuration. The library itself tolerates 30 seconds. */
const MAX_SKEW_S = 5;

/** The values that the provider's response to a sign-in must match. */
export interface OidcAttempt {
  state: string;
  nonce: string;
  /** PKCE verifier (RFC 7636), so that only this browser can use the code. */
  verifier: string;
}

/** A person as identified by the provider. */
export interface OidcPerson {
  issuer: string;
  subject: string;
  email: string | undefined;
  /** True if the provider has verified the address. */
  isEmailVerified: boolean;
  name: string | undefined;
}

/** The OpenID Connect provider. Its library is loaded on the first sign-in. */
@Injectable()
export class OidcClient implements OnApplicationShutdown {
  private configured: Promise<Configuration> | undefined;
  /** The service's time minus this machine's clock, in seconds. The library checks tokens with the machine's clock. */
  private skew = 0;
  /** Only limits responses: the operator chooses the provider, which may be in a private network. */
  private readonly guarded = new GuardedFetch({
    isAllowed: () => true,
    connectTimeoutMs: TIMEOUT_S * 1000,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });

  constructor(
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  /** Returns the URL to send the browser to. Throws `not_found` without a provider, `unavailable` if it is unreachable. */
  async begin(redirectUri: string): Promise<{ url: URL; attempt: OidcAttempt }> {
    const configuration = await this.configuration();
    const client = await import('openid-client');
    const attempt = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { url, attempt };
  }

  /**
   * Returns the person who returned to this URL. Throws `unauthorized` if the response does not match the attempt for any
   * reason.
   */
  async finish(callback: URL, { state, nonce, verifier }: OidcAttempt): Promise<OidcPerson> {
    const configuration = await this.configuration();
    const client = await import('openid-client');
    try {
      const tokens = await client.authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('The provider sent no ID token.');
      const profile =
        claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims;
      return {
        issuer: claims.iss,
        subject: subjectOf(claims.sub),
        email: textOf(profile['email']),
        isEmailVerified: profile['email_verified'] === true,
        name: textOf(profile['name']),
      };
    } catch (error) {
      this.log.warn({ reason: reasonOf(error) }, 'A sign-in by the provider was refused.');
      throw callbackRejected();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.guarded.close();
  }

  /** Returns the provider's configuration, which is discovered once, and again after a failure. */
  private configuration(): Promise<Configuration> {
    const { oidc } = this.config;
    if (!oidc) throw noProvider();
    const skew = Math.round((currentTime() - Date.now()) / 1000);
    if (Math.abs(skew - this.skew) > MAX_SKEW_S) this.configured = undefined;
    if (!this.configured) this.skew = skew;
    this.configured ??= discover(oidc, this.skew, this.guarded.fetch).catch((error: unknown) => {
      this.configured = undefined;
      this.log.warn({ reason: reasonOf(error) }, 'The sign-in provider could not be reached.');
      throw providerUnavailable();
    });
    return this.configured;
  }
}

/** Avoids the library's deprecation marker, which exists only to make the option stand out. */
interface ForDevelopment {
  allowInsecureRequests: (configuration: Configuration) => void;
}

async function discover(
  settings: OidcSettings,
  skew: number,
  fetch: typeof globalThis.fetch,
): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const client = await import('openid-client');
  // The settings allow http issuers only outside production.
  const { allowInsecureRequests }: ForDevelopment = client;
  const insecure = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
  const execute = [...insecure, client.enableNonRepudiationChecks];
  const metadata = { client_secret: clientSecret, [client.clockSkew]: skew };
  const options = {
    execute,
    timeout: TIMEOUT_S,
    [client.customFetch]: (url: string, init: object) => fetch(url, init),
  };
  return client.discovery(issuer, clientId, metadata, undefined, options);
}

/** Returns the subject, which identifies a user. It must be stored exactly, so PostgreSQL must be able to store it. */
function subjectOf(claim: string): string {
  if (claim.includes('\0') || !claim.isWellFormed()) throw new Error('The subject is unusable.');
  return claim;
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim.trim() !== '' ? claim : undefined;
}

export function noProvider(): AppError {
  return new AppError(
    'not_found',
    'This service has no sign-in provider. Sign in with your password.',
  );
}

export function providerUnavailable(): AppError {
  return new AppError(
    'unavailable',
    'The sign-in provider is unavailable. Try again shortly, or sign in with your password.',
    { code: 'provider-unavailable' },
    { retryAfterSeconds: 5 },
  );
}

/** The error for a provider response that does not match this browser's attempt. */
export function callbackRejected(): AppError {
  return new AppError(
    'unauthorized',
    'Sign-in with the provider failed or took too long. Start again on the sign-in page.',
    { code: 'provider-refused' },
  );
}
