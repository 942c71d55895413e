import type { ConnectedApp } from '../../auth/connected-app.js';

export const MAX_CLIENT_ID_CHARACTERS = 2_048;
export const MAX_REDIRECT_URIS = 20;
const MAX_NAME_CHARACTERS = 100;

/** An app that asks for access: what it says about itself, and where it can be redirected. */
export interface AppClient extends ConnectedApp {
  redirectUris: readonly string[];
}

/**
 * Returns the name of an app on one line, without characters that are invisible or change the direction of text, so that
 * it cannot imitate other words of the consent page.
 */
export function appName(text: unknown, fallback: string): string {
  if (typeof text !== 'string') return fallback;
  const name = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return Array.from(name).slice(0, MAX_NAME_CHARACTERS).join('').trim() || fallback;
}
