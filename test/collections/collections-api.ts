import { whileBusy, type ApiClient, type ApiResponse } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';

export interface Collection {
  id: string;
  name: string;
  parentId: string | null;
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
