import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { OAuthError } from '../oauth-error.js';
import {
  appName,
  MAX_CLIENT_ID_CHARACTERS,
  MAX_REDIRECT_URIS,
  type AppClient,
} from './app-client.js';
import { redirectProblem } from './redirect-uris.js';

const PREFIX = 'dyn.';
/** Maximum bytes of a registration after decompression. */
const MAX_BYTES = 50_000;

/**
 * Registers an app (RFC 7591) without storing anything: the client ID contains the registration. It needs no signature,
 * because anyone can register anything, and the consent page shows such an app as unverified. Throws an
 * {@link OAuthError}.
 */
export function registeredClient({
  client_name: name,
  redirect_uris: uris,
}: Record<string, unknown>): AppClient {
  if (!isListOfText(uris) || uris.length === 0 || uris.length > MAX_REDIRECT_URIS) {
    throw new OAuthError(
      'invalid_redirect_uri',
      `Send redirect_uris as an array of 1 to ${String(MAX_REDIRECT_URIS)} URIs.`,
    );
  }
  const found = uris.map(redirectProblem).find((problem) => problem !== undefined);
  if (found !== undefined) {
    throw new OAuthError(
      'invalid_redirect_uri',
      `A redirect URI ${found}. Use HTTPS, a loopback address, or the scheme of your app.`,
    );
  }
  const client = { name: appName(name, 'Unnamed app'), redirectUris: uris };
  const id = PREFIX + deflateRawSync(JSON.stringify([client.name, ...uris])).toString('base64url');
  if (id.length > MAX_CLIENT_ID_CHARACTERS) {
    throw new OAuthError(
      'invalid_client_metadata',
      'The redirect URIs are too long. Register fewer.',
    );
  }
  return { id, host: null, ...client };
}

/** True if the client ID is that of a registration. */
export function isRegistration(clientId: string): boolean {
  return clientId.startsWith(PREFIX);
}

/** Returns the client whose registration is in the ID, or `undefined` if this service cannot have issued it. */
export function readRegistration(clientId: string): AppClient | undefined {
  try {
    const bytes = Buffer.from(clientId.slice(PREFIX.length), 'base64url');
    const text = inflateRawSync(bytes, { maxOutputLength: MAX_BYTES }).toString();
    const [name, ...uris] = JSON.parse(text) as unknown[];
    const client = registeredClient({ client_name: name, redirect_uris: uris });
    return client.id === clientId ? client : undefined;
  } catch {
    return undefined;
  }
}

export function isListOfText(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
