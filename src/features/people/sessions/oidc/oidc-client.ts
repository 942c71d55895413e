import { Injectable } from '@nestjs/common';
import type { Configuration } from 'openid-client';
import { currentTime } from '../../../../platform/basics/clock/current-time.js';
import { Config } from '../../../../platform/config/config.js';
import type { OidcSettings } from '../../../../platform/config/oidc-settings.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { reasonOf } from '../../../../platform/basics/errors/reason.js';
import { Log } from '../../../../platform/operation/log/log.js';

const TIMEOUT_S = 10;
/** The library itself tolerates half a minute. */
const MAX_SKEW_S = 5;

/** What a sign-in that has been begun must come back with. */
export interface OidcAttempt {
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636): the code is of use to this browser only. */
  verifier: string;
}

/** Somebody as the provider knows him. */
export interface OidcPerson {
  issuer: string;
  subject: string;
  email: string | undefined;
  /** Whether the provider says that the address is his. */
  isEmailVerified: boolean;
  name: string | undefined;
}

/** The OpenID Connect provider. Its library is loaded when somebody signs in by it. */
@Injectable()
export class OidcClient {
  private configured: Promise<Configuration> | undefined;
  /** Seconds from this machine's clock, by which the library judges tokens, to the time of the service. */
  private skew = 0;

  constructor(
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  /** Where the browser is to go. Throws `not_found` without a provider, `unavailable` when it cannot be reached. */
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
   * Who came back, at this address, by this attempt. Throws `unauthorized` for an answer that is not the one to it,
   * whatever is wrong.
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
      const told =
        claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: textOf(told['email']),
        isEmailVerified: told['email_verified'] === true,
        name: textOf(told['name']),
      };
    } catch (error) {
      this.log.warn({ reason: reasonOf(error) }, 'A sign-in by the provider was refused.');
      throw answerRefused();
    }
  }

  /** What the provider says of itself, asked for once; again after a failure. */
  private configuration(): Promise<Configuration> {
    const { oidc } = this.config;
    if (!oidc) throw noProvider();
    const skew = Math.round((currentTime() - Date.now()) / 1000);
    if (Math.abs(skew - this.skew) > MAX_SKEW_S) this.configured = undefined;
    if (!this.configured) this.skew = skew;
    this.configured ??= discover(oidc, this.skew).catch((error: unknown) => {
      this.configured = undefined;
      this.log.warn({ reason: reasonOf(error) }, 'The sign-in provider could not be reached.');
      throw providerIsAway();
    });
    return this.configured;
  }
}

/** The library marks it as deprecated, so that it stands out. */
interface ForDevelopment {
  allowInsecureRequests: (configuration: Configuration) => void;
}

async function discover(settings: OidcSettings, skew: number): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const client = await import('openid-client');
  // The settings allow an issuer by http outside of production only.
  const { allowInsecureRequests }: ForDevelopment = client;
  const insecure = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
  const execute = [...insecure, client.enableNonRepudiationChecks];
  const metadata = { client_secret: clientSecret, [client.clockSkew]: skew };
  const options = { execute, timeout: TIMEOUT_S };
  return client.discovery(issuer, clientId, metadata, undefined, options);
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim.trim() !== '' ? claim : undefined;
}

/** The answer where nobody can sign in by a provider. */
export function noProvider(): AppError {
  return new AppError('not_found', 'This service has no sign-in provider. Sign in by password.');
}

/** The answer while the provider does not answer. */
export function providerIsAway(): AppError {
  return new AppError(
    'unavailable',
    'The sign-in provider cannot be reached right now. Try again shortly, or sign in by password.',
    { code: 'provider-away' },
    { retryAfterSeconds: 5 },
  );
}

/** The answer to a return from the provider that does not fit what was begun in this browser. */
export function answerRefused(): AppError {
  return new AppError(
    'unauthorized',
    'The sign-in by the provider did not succeed, or took too long. Begin again on the sign-in page.',
    { code: 'provider-refused' },
  );
}
