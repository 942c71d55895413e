import type { Role } from '../../src/features/auth/roles.js';
import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { makeKey, type TestAccount } from '../support/accounts.js';
import { whileBusy, type ApiClient, type ApiResponse } from '../support/api-client.js';
import type { TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';

export interface Collection {
  id: string;
  name: string;
  parentId: string | null;
  isRestricted: boolean;
  right: Right;
  version: number;
  createdAt: string;
  updatedAt: string;
  documentCount?: number;
}

export const UNKNOWN = 'col_01h455vb4pex5vsknk084sn02q';

export const pathOf = ({ id }: Pick<Collection, 'id'>) => `/v1/collections/${id}`;

export async function newCollection(
  api: ApiClient,
  name = 'Reports',
  parentId: string | null = null,
): Promise<Collection> {
  const body = { name, parentId };
  const response = await whileBusy(() => api.send('POST', '/v1/collections', { body }));
  return expectSuccess(response, 201) as Collection;
}

/** Creates collections below each other, the first at the root. */
export async function newChain(api: ApiClient, length: number): Promise<Collection[]> {
  const chain: Collection[] = [];
  for (let level = 1; level <= length; level += 1)
    chain.push(await newCollection(api, `Level ${String(level)}`, chain.at(-1)?.id ?? null));
  return chain;
}

export async function listed(api: ApiClient, query = ''): Promise<Collection[]> {
  return expectSuccess(await api.send('GET', `/v1/collections${query}`)) as Collection[];
}

export const move = (
  api: ApiClient,
  collection: Pick<Collection, 'id'>,
  parentId: string | null,
): Promise<ApiResponse> => api.send('PATCH', pathOf(collection), { body: { parentId } });

export type Right = 'viewer' | 'editor' | 'manager';

/** Who can use a collection. User IDs are public ones. */
export interface CollectionAccess {
  everyone: Right | null;
  people: { userId: string; right: Right }[];
}

/** Sets the own access of a collection, as somebody who manages it. Null removes it. */
export async function setAccess(
  api: ApiClient,
  collection: Pick<Collection, 'id'>,
  access: CollectionAccess | null,
): Promise<object> {
  const body = { access };
  const response = await whileBusy(() => api.send('PUT', `${pathOf(collection)}/access`, { body }));
  return expectSuccess(response) as object;
}

export interface NewMember {
  /** A client with a key of the member that has all scopes of the role. */
  api: ApiClient;
  key: string;
  /** The public ID, for bodies. */
  userId: string;
  /** The UUID, for queries. */
  uuid: string;
}

/** Adds a person to an account by SQL, with a key. */
export async function newMember(
  app: Pick<TestApp, 'dataSource' | 'api'>,
  account: Pick<TestAccount, 'accountId'>,
  role: Role = 'member',
): Promise<NewMember> {
  const uuid = newUuid();
  await app.dataSource.query(
    `WITH person AS (
       INSERT INTO users (id, email, name, email_verified_at, created_at) VALUES ($1, $2, $3, now(), now()))
     INSERT INTO members (account_id, user_id, role, created_at) VALUES ($4, $1, $5, now())`,
    [uuid, `${uuid}@example.com`, `Member ${uuid.slice(-4)}`, account.accountId, role],
  );
  const { key } = await makeKey(app.dataSource, { accountId: account.accountId, userId: uuid });
  return { api: app.api(key), key, userId: encodeId('user', uuid), uuid };
}
