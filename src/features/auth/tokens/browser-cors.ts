import cors from 'cors';
import type { Request } from 'express';
import { EXPOSED_HEADERS } from '../../../platform/openapi/headers.js';
import { bearerKeyIn } from '../api-keys/api-key-authenticator.js';
import { tokenKindOf } from './access-token.js';

/** The paths that browser tokens can use. A preflight has no credential, so the path alone decides. */
const PATHS = /^\/v1\/documents(?:\/|$)/;

/** True for a request with a browser token, and for the preflight of one. */
export function isFromBrowserToken({ method, path, headers }: Request): boolean {
  if (method === 'OPTIONS') return PATHS.test(path);
  return tokenKindOf(bearerKeyIn(headers.authorization ?? '') ?? '') === 'browser';
}

/**
 * Lets pages of every origin use browser tokens, also without CORS_ORIGINS: the token is what a page may do, and browsers
 * never send it by themselves. Responses to API keys still follow CORS_ORIGINS.
 */
export const allowBrowserTokens = cors({
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PATCH'],
  exposedHeaders: [...EXPOSED_HEADERS],
  maxAge: 600,
});
