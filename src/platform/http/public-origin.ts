import type { Request } from 'express';
import type { Config } from '../config/config.js';

/** Returns the origin that the client sent the request to. */
export function requestOrigin(request: Request): string {
  return `${request.protocol}://${request.headers.host ?? ''}`.toLowerCase();
}

/** Returns the origin for links to the service: from `PUBLIC_URL`, or from the request if it is not set. */
export function publicOrigin(request: Request, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl === undefined ? requestOrigin(request) : new URL(publicUrl).origin;
}

/** Returns the URL for a local client of a service that listens on this host, such as `http://localhost:3000`. */
export function localOrigin(host: string, port: number): string {
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  return `http://${local ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}
