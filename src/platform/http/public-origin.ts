import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config/config.js';

/** Returns the origin that the client sent the request to. */
export function requestOrigin(request: Request): string {
  return `${request.protocol}://${request.headers.host ?? ''}`.toLowerCase();
}

/** Returns the origin for links to the service: from `PUBLIC_URL`, or from the request if it is not set. */
export function publicOrigin(request: Request, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl === undefined ? requestOrigin(request) : new URL(publicUrl).origin;
}

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::(\d{1,5}))?$/;

/**
 * Returns the origin for links to the documentation: `PUBLIC_URL`, or that of the request if its `Host` is `localhost` or the
 * address that the connection reached, with its port. Any other `Host` may be a client's invention; then there is no
 * link.
 */
export function documentationOrigin(
  { headers: { host = '' }, socket: { localAddress, localPort } }: IncomingMessage,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): string | undefined {
  if (publicUrl !== undefined) return publicUrl;
  const [, ipv6, name = ipv6 ?? '', port = '80'] = HOST.exec(host.toLowerCase()) ?? [];
  if (Number(port) !== localPort || localAddress === undefined) return undefined;
  return name === 'localhost' || isLocal(name, localAddress)
    ? `http://${host}`.toLowerCase()
    : undefined;
}

/** True if `name` is a loopback address or `localAddress`, which may be an IPv4 address in IPv6 form. */
function isLocal(name: string, localAddress: string): boolean {
  if (isIP(name) === 0) return false;
  const address = ipaddr.process(name);
  return (
    address.range() === 'loopback' ||
    address.toNormalizedString() === ipaddr.process(localAddress).toNormalizedString()
  );
}

/** Returns the URL for a local client of a service that listens on this host, such as `http://localhost:3000`. */
export function localOrigin(host: string, port: number): string {
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  return `http://${local ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
