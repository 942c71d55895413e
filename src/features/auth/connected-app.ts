import { isAtLeast, type Role } from './roles.js';
import type { Scope } from './scopes.js';

/** An app that a person has connected with OAuth. */
export interface ConnectedApp {
  /** Its OAuth client ID. */
  id: string;
  name: string;
  /** The host that publishes the app's metadata document; `null` for an app that registered itself under any name. */
  host: string | null;
}

/** Who can connect apps: every member, owners and admins, or nobody. */
export const CONNECTED_APPS = ['everyone', 'admins', 'nobody'] as const;
export type ConnectedAppsSetting = (typeof CONNECTED_APPS)[number];

/** True if the account's setting lets members with this role use connected apps. */
export function mayConnectApps(setting: ConnectedAppsSetting, role: Role): boolean {
  return setting === 'everyone' || (setting === 'admins' && isAtLeast(role, 'admin'));
}

/** The scopes of an app that asks for none: by default, an app proposes changes and people decide. */
export const DEFAULT_APP_SCOPES = [
  'documents:read',
  'documents:suggest',
] as const satisfies Scope[];

/** The scopes that a person can grant to an app. None of them manages keys, webhooks, people or the account. */
export const APP_SCOPES = [
  ...DEFAULT_APP_SCOPES,
  'documents:write',
  'documents:delete',
  'documents:analyze',
  'templates:read',
  'templates:write',
  'events:read',
  'usage:read',
] as const satisfies Scope[];
export type AppScope = (typeof APP_SCOPES)[number];
