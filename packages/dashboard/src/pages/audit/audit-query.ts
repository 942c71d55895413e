import type { components, paths } from '../../api/v1-schema.js';
import { capitalized } from '../../components/words.js';

export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditQuery = NonNullable<paths['/v1/audit']['get']['parameters']['query']>;

export const FILTERS = [
  'action',
  'resourceType',
  'resourceId',
  'userId',
  'keyId',
  'requestId',
  'after',
  'before',
] as const satisfies readonly (keyof AuditQuery)[];

/** Returns the filters for the API from the URL. */
export function auditFilters(state: Readonly<Partial<Record<string, string>>>): AuditQuery {
  const given = FILTERS.filter((name) => state[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, state[name]]));
}

/** Returns the name of the actor: a key, a person in the dashboard, or neither. */
export function actorName({ actor, details }: AuditEntry): string {
  if (!actor) return typeof details.by === 'string' ? details.by : 'service';
  return actor.userName ?? actor.userId;
}

/** Returns the actor for lists: the name of a person, or "Operator" or "Service". */
export function actorLabel(entry: AuditEntry): string {
  const name = actorName(entry);
  return entry.actor ? name : capitalized(name);
}

export const CSV_TITLES = [
  'Time',
  'Action',
  'Resource type',
  'Resource',
  'Actor',
  'User',
  'Key',
  'Address',
  'User agent',
  'Request',
  'Details',
  'ID',
] as const;

/** Returns a row of the file. */
export function csvRow(entry: AuditEntry): string[] {
  const { createdAt, action, resource, actor, clientAddress, userAgent, requestId } = entry;
  return [
    createdAt,
    action,
    resource.type,
    resource.id ?? '',
    actorName(entry),
    actor?.userId ?? '',
    actor?.keyId ?? '',
    clientAddress ?? '',
    userAgent ?? '',
    requestId ?? '',
    JSON.stringify(entry.details),
    entry.id,
  ];
}
