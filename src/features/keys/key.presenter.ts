import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { presentPerson, type Person } from '../access/auth/person.js';
import type { Scope } from '../access/auth/scopes.js';
import type { KeyRecord } from './key.repository.js';
import type { IssuedKey, RotatedKey } from './keys.service.js';

export interface PublicKey {
  id: string;
  name: string;
  lastFour: string;
  scopes: readonly Scope[];
  allowedIps: readonly string[];
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
  createdBy: Person;
}

/** A new key. No other response contains the key itself. */
export interface PublicIssuedKey extends PublicKey {
  key: string;
}

export interface PublicRotatedKey extends PublicIssuedKey {
  /** When the old key ends. */
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
    expiresAt: textOf(record.expiresAt),
    revokedAt: textOf(record.revokedAt),
    lastUsedAt: textOf(record.lastUsedAt),
    createdAt: record.createdAt.toISOString(),
    createdBy: presentPerson(record.createdBy),
  };
}

export function presentIssuedKey({ key, record }: IssuedKey): PublicIssuedKey {
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

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
