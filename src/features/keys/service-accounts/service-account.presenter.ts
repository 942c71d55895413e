import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { ServiceAccountDto } from './dto/service-account.dto.js';
import type { ServiceAccount } from './service-accounts.repository.js';

/** Returns the public fields of a service account. */
export function presentServiceAccount(account: ServiceAccount): ServiceAccountDto {
  const { id, name, role, activeKeys, lastUsedAt, createdAt } = account;
  return {
    id: encodeId('user', id),
    name,
    role,
    activeKeys,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
