import type { Request } from 'express';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import type { Permissions } from '../auth/api-keys/permissions.js';
import { requireGrantable, requireReachable } from './key-grants.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { presentPerson, type Person } from '../auth/person.js';
import type { ConnectedApp } from '../auth/connected-app.js';
import { UNLIMITED_WINDOWS, type WindowLimits } from '../auth/plan.js';
import type { Scope } from '../auth/scopes.js';
import type { KeyRecord } from './keys.repository.js';
import type { IssuedKey, RotatedKey } from './keys.service.js';

export interface PublicKey {
  id: string;
  name: string;
  lastFour: string;
  scopes: readonly Scope[];
  allowedIps: readonly string[];
  limits: WindowLimits;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
  createdBy: Person;
  /** The connected app that uses the key; `null` for a key that a program sends itself. */
  client: ConnectedApp | null;
}

/** A new key. No other response contains the key itself. */
export interface PublicIssuedKey extends PublicKey {
  key: string;
}

export interface PublicRotatedKey extends PublicIssuedKey {
  /** When the old key stops working. */
  replaces: { id: string; expiresAt: string | null; revokedAt: string | null };
}

/** Returns the public fields of a key. */
export function presentKey(record: KeyRecord): PublicKey {
  return {
    id: encodeId('key', record.id),
    name: record.name,
    lastFour: record.lastFour,
    scopes: record.scopes,
    allowedIps: record.allowedIps,
    limits: { ...UNLIMITED_WINDOWS, ...record.limits },
    expiresAt: textOf(record.expiresAt),
    revokedAt: textOf(record.revokedAt),
    lastUsedAt: textOf(record.lastUsedAt),
    createdAt: record.createdAt.toISOString(),
    createdBy: presentPerson(record.createdBy),
    client: record.client,
  };
}

/** Presents a new key. This is the only response that contains the key itself. */
function presentIssuedKey({ key, record }: IssuedKey): PublicIssuedKey {
  return { ...presentKey(record), key };
}

export function presentRotatedKey(rotated: RotatedKey): PublicRotatedKey {
  const { id, expiresAt, revokedAt } = rotated.replaced;
  return {
    ...presentIssuedKey(rotated),
    replaces: {
      id: encodeId('key', id),
      expiresAt: textOf(expiresAt),
      revokedAt: textOf(revokedAt),
    },
  };
}

/** Returns the response to the creation of a key. */
export function issuedKeyResponse(issued: IssuedKey): ApiResponse {
  const key = presentIssuedKey(issued);
  return new ApiResponse(JSON.stringify(key), { location: `/v1/keys/${key.id}` });
}

/** Returns the response to the rotation of a key. */
export function rotatedKeyResponse(rotated: RotatedKey): ApiResponse {
  const { warnings } = rotated;
  const key = presentRotatedKey(rotated);
  return new ApiResponse(JSON.stringify(key), { location: `/v1/keys/${key.id}`, warnings });
}

/** Throws `forbidden` if the key that retries a creation can no longer create this key. */
export function checkReplayedKey(issued: unknown, { principal }: Request): void {
  if (principal) requireGrantable(permissionsIn(issued as PublicIssuedKey), principal);
}

/** Throws `forbidden` if the key that retries a rotation can no longer rotate the replaced key. */
export function checkReplayedRotation(rotated: unknown, { principal }: Request): void {
  const { replaces, ...key } = rotated as PublicRotatedKey;
  const permissions = permissionsIn({ ...key, expiresAt: replaces.expiresAt });
  if (principal) requireReachable(permissions, principal);
}

function permissionsIn({ expiresAt, ...key }: PublicKey): Permissions {
  return { ...key, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
