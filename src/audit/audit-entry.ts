import type { Cause } from '../auth/cause.js';
import type { Database } from '../database/database.js';
import { newUuid } from '../identifiers/identifiers.js';

/** What can be done to a resource. Names are `<resource>.<verb>` and are never reused for something else. */
export const AUDIT_ACTIONS = [
  'document.create',
  'document.update',
  'document.delete',
  'document.restore',
  'document.purge',
  'document.import',
  'template.create',
  'template.update',
  'template.delete',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.test',
  'webhook.rotate_secret',
  'webhook.redeliver',
  'webhook.recover',
  'key.create',
  'key.rotate',
  'key.revoke',
  'account.update',
  'account.export',
  'account.import',
  'job.cancel',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What entries are about: the first part of every action, which is also the kind of the resource's id. */
export type AuditResource = ResourceOf<AuditAction>;
type ResourceOf<Action> = Action extends `${infer Resource}.${string}` ? Resource : never;

/** The kind of resource that an action is done to. */
export function resourceOf(action: AuditAction): AuditResource {
  return action.slice(0, action.indexOf('.')) as AuditResource;
}

export const AUDIT_RESOURCES: readonly AuditResource[] = [
  ...new Set(AUDIT_ACTIONS.map(resourceOf)),
];

/** What a change has that no request caused: done at the operator's command line, or by the service itself. */
export interface OwnCause {
  /** UUID of the account that is changed. */
  accountId: string;
  by: 'operator' | 'service';
}

export interface AuditInput {
  action: AuditAction;
  /** UUID of the resource, which is of the kind that the action's first part names. */
  resourceId: string | null;
  at: Date;
  cause: Cause | OwnCause;
  /** What else is worth knowing; never content, keys or secrets. */
  details?: Record<string, unknown>;
}

/** A row of `audit_log`. */
export interface AuditRow {
  id: string;
  account_id: string;
  action: AuditAction;
  resource_id: string | null;
  user_id: string | null;
  key_id: string | null;
  request_id: string | null;
  client_address: string | null;
  user_agent: string | null;
  details: Record<string, unknown>;
  created_at: Date;
}

/** Characters that are kept of the header. */
export const MAX_USER_AGENT = 300;

/** The entry for a change. Insert it with {@link insertAuditEntries} in the statement or transaction of the change. */
export function auditRow({ action, resourceId, at, cause, details = {} }: AuditInput): AuditRow {
  const change = { id: newUuid(), action, resource_id: resourceId, created_at: at };
  if ('by' in cause) return { ...change, ...NO_REQUEST, ...ownActor(cause, details) };
  return {
    ...change,
    account_id: cause.principal.accountId,
    user_id: cause.principal.user.id,
    key_id: cause.principal.keyId,
    request_id: cause.requestId,
    client_address: cause.clientAddress,
    user_agent: cause.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    details,
  };
}

const NO_REQUEST = {
  user_id: null,
  key_id: null,
  request_id: null,
  client_address: null,
  user_agent: null,
};

/** Nobody's key did it; the details say who did. */
function ownActor({ accountId, by }: OwnCause, details: Record<string, unknown>) {
  return { account_id: accountId, details: { ...details, by } };
}

/** Writes the entry for a change; call it in the transaction of the change. */
export async function insertAuditEntry(database: Database, input: AuditInput): Promise<void> {
  const statement = { name: 'audit.insert', text: insertAuditEntries('$1') };
  await database.run(statement, [JSON.stringify([auditRow(input)])]);
}

/**
 * Inserts audit rows given as a JSON array; `placeholder` is the parameter, such as `$3`. `condition` may leave some
 * out, such as entries of changes that were not made: `WHERE resource_id IN (SELECT id FROM changed)`.
 */
export const insertAuditEntries = (placeholder: string, condition = '') =>
  `INSERT INTO audit_log (id, account_id, action, resource_id, user_id, key_id, request_id, client_address, user_agent,
                          details, created_at)
   SELECT id, account_id, action, resource_id, user_id, key_id, request_id, client_address, user_agent, details,
          created_at
     FROM json_to_recordset(${placeholder}::json) AS entry (
       id uuid, account_id uuid, action text, resource_id uuid, user_id uuid, key_id uuid, request_id text,
       client_address text, user_agent text, details json, created_at timestamptz) ${condition}`;
