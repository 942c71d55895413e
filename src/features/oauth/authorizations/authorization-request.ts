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

/** Where the response to a request goes. */
export type ReturnAddress = Pick<AuthorizationRequest, 'clientId' | 'redirectUri' | 'state'>;

/**
 * Reads where the response goes. Throws `bad_request`, which must not be sent to the app: its address is unknown. A repeated
 * `state` is left out; {@link readAuthorizationRequest} refuses it.
 */
export function readReturnAddress(query: string): ReturnAddress {
  const { required } = readerOf(query, invalidParameter);
  const states = new URLSearchParams(query).getAll('state');
  return {
    clientId: required('client_id'),
    redirectUri: required('redirect_uri'),
    state: states.length === 1 ? (states[0] ?? null) : null,
  };
}

/**
 * Reads the query of the consent page. Throws `bad_request` for a request that the app must correct. `returnAddress` must
 * have been checked, because the error contains the URI that reports it to the app.
 */
export function readAuthorizationRequest(
  query: string,
  returnAddress: ReturnAddress,
  issuer: string,
): AuthorizationRequest {
  const refuse: Refuse = (field, issue, error = 'invalid_request') => {
    const response = { error, error_description: `${field} ${issue}` };
    return invalidParameter(field, issue, redirectWith(response, returnAddress, issuer));
  };
  const { optional, required } = readerOf(query, refuse);
  if (required('response_type') !== 'code') {
    const issue = 'is not code, the only type that this service has';
    throw refuse('response_type', issue, 'unsupported_response_type');
  }
  const codeChallenge = required('code_challenge');
  if (optional('code_challenge_method') !== 'S256') {
    throw refuse('code_challenge_method', 'is not S256');
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    throw refuse('code_challenge', 'is not a SHA-256 hash in base64url');
  }
  const resource = optional('resource');
  if (resource !== null && !isOwnResource(resource, issuer)) {
    throw refuse('resource', 'is not an address of this service', 'invalid_target');
  }
  const scopes = knownScopes(optional('scope'));
  return { ...returnAddress, codeChallenge, scopes, resource, state: optional('state') };
}

/** `error`: the code for the app (RFC 6749, section 4.1.2.1; RFC 8707). */
type Refuse = (field: string, issue: string, error?: string) => AppError;

function readerOf(query: string, refuse: (field: string, issue: string) => AppError) {
  const parameters = new URLSearchParams(query);
  const optional = (name: string): string | null => {
    const [value, ...more] = parameters.getAll(name);
    if (more.length > 0) throw refuse(name, 'is given more than once');
    if (value !== undefined && value.length > (LIMITS[name] ?? 0)) {
      throw refuse(name, `is longer than ${String(LIMITS[name])} characters`);
    }
    return value ?? null;
  };
  const required = (name: string): string => {
    const value = optional(name);
    if (value === null || value === '') throw refuse(name, 'is missing');
    return value;
  };
  return { optional, required };
}

/** Returns the redirect URI with the response. `iss` tells the app which service answers (RFC 9207). */
export function redirectWith(
  response: Readonly<Record<string, string>>,
  { redirectUri, state }: ReturnAddress,
  issuer: string,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(response)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  url.searchParams.set('iss', issuer);
  return url.href;
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

/**
 * Returns the error for a request of an app that its maker must correct. `redirectUri` reports it to the app; missing if the
 * app or its address is wrong.
 */
export function invalidParameter(field: string, issue: string, redirectUri?: string): AppError {
  return new AppError(
    'bad_request',
    `This app cannot be connected, because its request is not valid: ${field} ${issue}. Update the app, or tell its maker.`,
    { field, issue, ...(redirectUri !== undefined && { redirectUri }) },
  );
}
