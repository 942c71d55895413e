import cors from 'cors';
import type { Request } from 'express';

const PATHS = /^\/(?:oauth\/|\.well-known\/oauth-)/;

/** True for the routes that OAuth clients call. */
export function isForOAuth({ path }: Request): boolean {
  return PATHS.test(path);
}

/**
 * Lets pages of every origin call the OAuth routes, preflights included, also without CORS_ORIGINS: clients run in
 * browsers too. Cookies have no effect there.
 */
export const allowOAuthClients = cors({ origin: '*', methods: ['GET', 'POST'], maxAge: 600 });
