import type { GivenVariables } from './variables.js';

/** The OpenID Connect provider for sign-in. */
export interface OidcSettings {
  /** Base URL of `/.well-known/openid-configuration`. */
  issuer: URL;
  clientId: string;
  /** Never log it. */
  clientSecret: string;
  /** Text of the sign-in button. */
  name: string;
}

interface OidcVariables {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_NAME?: string | undefined;
}

const REQUIRED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** Returns the provider settings; undefined if no provider is configured. */
export function oidcSettings(env: OidcVariables): OidcSettings | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (OIDC_ISSUER === undefined || clientId === undefined || clientSecret === undefined) {
    return undefined;
  }
  const issuer = new URL(OIDC_ISSUER);
  return { issuer, clientId, clientSecret, name: env.OIDC_NAME ?? issuer.hostname };
}

/** Returns the problems between provider variables, one sentence each. */
export function oidcProblems(given: GivenVariables): string[] {
  const names = [...REQUIRED, 'OIDC_NAME'];
  const set = names.filter((name) => given[name] !== undefined);
  if (set.length === 0) return [];
  const problems = REQUIRED.filter((name) => given[name] === undefined).map(
    (name) =>
      `${name} is required with ${set.join(', ')}; copy it from the provider, or remove all OIDC_ variables to run without a provider.`,
  );
  if (given['PUBLIC_URL'] === undefined) {
    problems.push(
      'PUBLIC_URL is required with OIDC_ISSUER; set it to the URL of the service in the browser, such as https://documents.example.com, because the provider redirects people there.',
    );
  }
  const issuer = given['OIDC_ISSUER'] ?? '';
  if (given['NODE_ENV'] === 'production' && issuer.startsWith('http:')) {
    problems.push(
      'OIDC_ISSUER must begin with https:// in production; otherwise an attacker on the network could sign in as anyone.',
    );
  }
  return problems;
}
