import type { Scope } from '../../auth/scopes.js';

/** The scopes that a browser token can have. */
export const BROWSER_SCOPES = [
  'documents:read',
  'documents:suggest',
  'documents:write',
] as const satisfies readonly Scope[];
export type BrowserScope = (typeof BROWSER_SCOPES)[number];
