import type { Request, Response } from 'express';
import { SESSION_LIFETIME_MS } from '../session-lifetime.js';

const NAME = 'session';
/** The API never sees it: nothing below /v1 can be done with a cookie that another site makes the browser send. */
const PATH = '/dashboard';
const SENT = new RegExp(`(?:^|;) *${NAME}=([^;]*)`);

/** The token that the browser sends, as it was sent; `undefined` without one. */
export function readSessionCookie({ headers }: Request): string | undefined {
  return SENT.exec(headers.cookie ?? '')?.[1]?.trim();
}

/** `isSecure`: the browser reaches the service by TLS, and must never send the token without. */
export function setSessionCookie(response: Response, token: string, isSecure: boolean): void {
  response.cookie(NAME, token, { ...attributes(isSecure), maxAge: SESSION_LIFETIME_MS });
}

export function clearSessionCookie(response: Response, isSecure: boolean): void {
  response.clearCookie(NAME, attributes(isSecure));
}

function attributes(secure: boolean) {
  return { path: PATH, httpOnly: true, sameSite: 'lax', secure } as const;
}
