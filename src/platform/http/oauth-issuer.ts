import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config/config.js';
import { documentationOrigin } from './public-origin.js';

/**
 * Returns the origin that identifies this service to OAuth clients, or `undefined` if apps cannot connect: tokens must
 * not travel in clear text, so `PUBLIC_URL` must use HTTPS or be a loopback address. During development, it can be
 * missing.
 */
export function oauthIssuer(
  request: IncomingMessage,
  config: Pick<Config, 'oauth' | 'publicUrl' | 'production'>,
): string | undefined {
  if (!config.oauth || (config.publicUrl === undefined && config.production)) return undefined;
  const origin = documentationOrigin(request, config);
  if (origin === undefined) return undefined;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || isLoopback(hostname) ? origin : undefined;
}

/** True for `localhost` and loopback addresses, as in the `hostname` of a URL. */
export function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) === 0) return hostname === 'localhost';
  return ipaddr.process(address).range() === 'loopback';
}
