import type { Request, Response } from 'express';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Maximum age of a session. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;
/** A session ends after this time without use. */
export const SESSION_IDLE_MS = 7 * DAY_MS;

const NAME = 'session';
/** The API never receives the cookie, so another site cannot make a browser change anything below /v1 with it. */
const PATH = '/dashboard';
const SENT = new RegExp(`(?:^|;) *${NAME}=([^;]*)`);

/** Returns the token that the browser sent, if any. */
export function readSessionCookie({ headers }: Request): string | undefined {
  return SENT.exec(headers.cookie ?? '')?.[1]?.trim();
}

/** `isSecure`: the browser uses TLS and must never send the token without it. */
export function setSessionCookie(response: Response, token: string, isSecure: boolean): void {
  response.cookie(NAME, token, { ...attributes(isSecure), maxAge: SESSION_LIFETIME_MS });
}

export function clearSessionCookie(response: Response, isSecure: boolean): void {
  response.clearCookie(NAME, attributes(isSecure));
}

function attributes(secure: boolean) {
  return { path: PATH, httpOnly: true, sameSite: 'lax', secure } as const;
}
