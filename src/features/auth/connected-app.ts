import { isAtLeast, type Role } from './roles.js';

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
