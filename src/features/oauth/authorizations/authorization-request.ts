import { AppError } from '../../../platform/basics/errors/app-error.js';
import { APP_SCOPES, DEFAULT_APP_SCOPES, type AppScope } from '../../auth/connected-app.js';
import { MAX_CLIENT_ID_CHARACTERS } from '../clients/app-client.js';
import { MAX_URI_CHARACTERS } from '../clients/redirect-uris.js';

/** What an app asks for with the link to the consent page (OAuth 2.1, section 4.1.1). */
export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  /** PKCE challenge, method S256. */
  codeChallenge: string;
  scopes: readonly AppScope[];
  state: string | null;
  /** The resource that the app names (RFC 8707), or `null`. */
  resource: string | null;
}

/** Maximum characters of each parameter. */
const LIMITS: Readonly<Record<string, number>> = {
  response_type: 100,
  client_id: MAX_CLIENT_ID_CHARACTERS,
  redirect_uri: MAX_URI_CHARACTERS,
  code_challenge: 128,
  code_challenge_method: 100,
  scope: 2_000,
  state: 4_096,
  resource: MAX_URI_CHARACTERS,
};

/** Paths of the resources that tokens can be for. All of them accept the same tokens. */
const RESOURCES: readonly string[] = ['', '/', '/mcp', '/v1'];

/** Reads the query of the consent page. Throws `bad_request` for a request that the app must correct. */
export function readAuthorizationRequest(query: string, issuer: string): AuthorizationRequest {
  const parameters = new URLSearchParams(query);
  const optional = (name: string): string | null => {
    const [value, ...more] = parameters.getAll(name);
    if (more.length > 0) throw invalidParameter(name, 'is given more than once');
    if (value !== undefined && value.length > (LIMITS[name] ?? 0)) {
      throw invalidParameter(name, `is longer than ${String(LIMITS[name])} characters`);
    }
    return value ?? null;
  };
  const required = (name: string): string => {
    const value = optional(name);
    if (value === null || value === '') throw invalidParameter(name, 'is missing');
    return value;
  };
  const clientId = required('client_id');
  const redirectUri = required('redirect_uri');
  if (required('response_type') !== 'code') {
    throw invalidParameter('response_type', 'is not code, the only type that this service has');
  }
  const codeChallenge = required('code_challenge');
  if (optional('code_challenge_method') !== 'S256') {
    throw invalidParameter('code_challenge_method', 'is not S256');
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    throw invalidParameter('code_challenge', 'is not a SHA-256 hash in base64url');
  }
  const resource = optional('resource');
  if (resource !== null && !isOwnResource(resource, issuer)) {
    throw invalidParameter('resource', 'is not an address of this service');
  }
  const scopes = knownScopes(optional('scope'));
  return { clientId, redirectUri, codeChallenge, scopes, state: optional('state'), resource };
}

/** True if a resource is the service itself, `/mcp` or `/v1`. */
export function isOwnResource(resource: string, issuer: string): boolean {
  return RESOURCES.some((path) => resource === issuer + path);
}

/**
 * Returns the scopes that can be granted, of those in a `scope` parameter. Others are ignored, because clients also ask
 * for scopes of other services. Returns the default scopes if none is left.
 */
function knownScopes(text: string | null): readonly AppScope[] {
  const given = new Set((text ?? '').split(' '));
  const known = APP_SCOPES.filter((scope) => given.has(scope));
  return known.length > 0 ? known : DEFAULT_APP_SCOPES;
}

/** Returns the error for a request of an app that its maker must correct. */
export function invalidParameter(field: string, issue: string): AppError {
  return new AppError(
    'bad_request',
    `This app cannot be connected, because its request is not valid: ${field} ${issue}. Update the app, or tell its maker.`,
    { field, issue },
  );
}
