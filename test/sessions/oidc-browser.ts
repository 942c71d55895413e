import { request } from 'undici';
import type { ApiResponse } from '../support/api-client.js';
import type { Browser } from '../support/browser.js';
import type { OidcProvider } from '../support/oidc-provider.js';

/** Returns the address that a response redirects to. */
export const locationOf = ({ headers }: ApiResponse) => String(headers['location']);

/** Goes to the provider and back. Returns the address to return to. */
export async function toProvider(browser: Browser, next?: string): Promise<URL> {
  const search = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  const started = await browser.request('GET', `/dashboard/api/oidc/start${search}`);
  expect(started.status).toBe(302);
  const { headers, body } = await request(locationOf(started));
  await body.dump();
  return new URL(String(headers['location']));
}

export function comeBack(browser: Browser, { pathname, search }: URL): Promise<ApiResponse> {
  return browser.request('GET', pathname + search);
}

/** Signs in with the provider as this person. */
export async function signInAs(
  provider: OidcProvider,
  browser: Browser,
  person: Record<string, unknown>,
): Promise<ApiResponse> {
  provider.person = person;
  return comeBack(browser, await toProvider(browser));
}

/** Settings of a service that signs people in with this provider. */
export const oidcEnvironment = (provider: OidcProvider) => ({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.clientId,
  OIDC_CLIENT_SECRET: provider.clientSecret,
  OIDC_NAME: 'Example SSO',
  PUBLIC_URL: 'http://documents.example.com',
});
