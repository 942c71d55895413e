import type { GivenVariables } from './variables.js';

/** The OpenID Connect provider by which people may sign in. */
export interface OidcSettings {
  /** Where its configuration is found, at `/.well-known/openid-configuration`. */
  issuer: URL;
  clientId: string;
  /** Never logged. */
  clientSecret: string;
  /** What the button says. */
  name: string;
}

interface OidcVariables {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_NAME?: string | undefined;
}

const REQUIRED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** What the checked variables say of a provider; undefined when the operator has none. */
export function oidcSettings(env: OidcVariables): OidcSettings | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (OIDC_ISSUER === undefined || clientId === undefined || clientSecret === undefined) {
    return undefined;
  }
  const issuer = new URL(OIDC_ISSUER);
  return { issuer, clientId, clientSecret, name: env.OIDC_NAME ?? issuer.hostname };
}

/** What is wrong with the variables of a provider together, one sentence each. */
export function oidcProblems(given: GivenVariables): string[] {
  const names = [...REQUIRED, 'OIDC_NAME'];
  const set = names.filter((name) => given[name] !== undefined);
  if (set.length === 0) return [];
  const problems = REQUIRED.filter((name) => given[name] === undefined).map(
    (name) =>
      `${name} is required with ${set.join(', ')}; take it from the provider, or leave out all OIDC_ variables to have none.`,
  );
  if (given['PUBLIC_URL'] === undefined) {
    problems.push(
      'PUBLIC_URL is required with OIDC_ISSUER; set it to the address in the browser, such as https://documents.example.com, so that the provider sends people back there.',
    );
  }
  const issuer = given['OIDC_ISSUER'] ?? '';
  if (given['NODE_ENV'] === 'production' && issuer.startsWith('http:')) {
    problems.push(
      'OIDC_ISSUER must begin with https:// in production; whoever is on the way could sign in as anybody.',
    );
  }
  return problems;
}
