import type { Request } from 'express';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import type { Permissions } from '../auth/api-keys/permissions.js';
import { presentLimit } from './key-collections.js';
import { requireGrantable, requireReachable } from './key-grants.js';
import { encodeId, uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { presentPerson, type Person, type UserKind } from '../auth/person.js';
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
  collections: readonly string[] | null;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
  createdBy: Person;
  owner: { id: string; name: string; kind: UserKind };
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
  const createdBy = presentPerson(record.createdBy);
  return {
    id: encodeId('key', record.id),
    name: record.name,
    lastFour: record.lastFour,
    scopes: record.scopes,
    allowedIps: record.allowedIps,
    limits: { ...UNLIMITED_WINDOWS, ...record.limits },
    collections: presentLimit(record.collections),
    expiresAt: textOf(record.expiresAt),
    revokedAt: textOf(record.revokedAt),
    lastUsedAt: textOf(record.lastUsedAt),
    createdAt: record.createdAt.toISOString(),
    createdBy,
    owner: { id: createdBy.id, name: createdBy.name, kind: record.createdBy.kind },
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

/** Responses that releases before collections have stored lack them. */
function permissionsIn({ expiresAt, collections, ...key }: PublicKey): Permissions {
  return {
    ...key,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    collections: collections?.map((id) => uuidOf('collection', id)) ?? null,
  };
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
