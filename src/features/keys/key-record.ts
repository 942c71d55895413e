import { ApiKeyEntity } from '../access/auth/entities/api-key.entity.js';
import type { Person } from '../access/auth/person.js';
import { selectedColumns } from '../../platform/database/entity-columns.js';
import { BY_CREATION, type CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import type { Listing } from '../../platform/http/pagination/read-page.js';

/** What is kept of an API key, with the user who made it. The key itself is shown once and known only by its hash. */
export type KeyRecord = Omit<
  ApiKeyEntity,
  'account' | 'user' | 'userId' | 'keyHash' | 'replacedBy'
> & {
  createdBy: Person;
};

/** The record of a row that was read with its user. */
export function recordOf({ user, ...key }: ApiKeyEntity): KeyRecord {
  return { ...key, createdBy: { id: user.id, name: user.name, email: user.email } };
}

/** Rows are records. */
export const KEY_LISTING: Listing<CreationSort> = {
  name: 'keys',
  table: 'api_keys',
  where: 'item.account_id = $1',
  // Counted, unlike documents: people make keys by hand and replace them rarely, so an account has tens of them.
  total: 'SELECT count(*) AS n FROM api_keys WHERE account_id = $1',
  columns: `${selectedColumns(ApiKeyEntity, 'item')},
    jsonb_build_object('id', creator.id, 'name', creator.name, 'email', creator.email) AS "createdBy"`,
  joins:
    'CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.user_id LIMIT 1) AS creator',
  sorts: BY_CREATION,
};
