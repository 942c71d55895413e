import { expectSuccess } from '../support/envelope.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import type { TestApp } from '../support/app.js';
import { newCollection, newMember, setAccess, type Right } from './collections-api.js';

/** An account with a folder that a member can use until the right is removed, and one that the member never sees. */
export async function restrictedFolders(app: TestApp, right: Right = 'editor') {
  const account = await app.account();
  const { api: owner } = account;
  const member = await newMember(app, account);
  const [shared, secret] = [
    await newCollection(owner, 'Shared'),
    await newCollection(owner, 'Secret'),
  ];
  await setAccess(owner, secret, { everyone: null, people: [] });
  const grant = (given: Right | null) =>
    setAccess(owner, shared, {
      everyone: null,
      people: given === null ? [] : [{ userId: member.userId, right: given }],
    });
  await grant(right);
  return { account, owner, member, shared, secret, grant };
}

export async function newDocument(
  api: ApiClient,
  collectionId: string | null,
  more: object = {},
): Promise<string> {
  const response = await api.createDocument({ title: 'Text', collectionId, ...more });
  return (expectSuccess(response, 201) as { id: string }).id;
}

/** Returns the total of a list and the IDs of its items. */
export function pageOf(response: ApiResponse): { total: number; ids: string[] } {
  const items = expectSuccess(response) as { id: string }[];
  const { total } = (response.body as { meta: { pagination: { total: number } } }).meta.pagination;
  return { total, ids: items.map(({ id }) => id) };
}

/** Fails if the two responses differ in more than their request and time. */
export function expectSameRefusal(one: ApiResponse, other: ApiResponse): void {
  expect([one.status, one.body.error]).toEqual([other.status, other.body.error]);
}
