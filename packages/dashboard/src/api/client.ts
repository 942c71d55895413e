import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths as DashboardPaths } from './dashboard-schema.js';
import { failureOf, noAnswer, type Failure } from './failure.js';
import { suspectOutage } from './outage.js';
import type { paths as V1Paths } from './v1-schema.js';

/** No form and no other site can send this header: with it, a change is ours (docs/adr/0007-one-api-for-keys-people-and-mcp.md). */
const OWN_REQUEST = { 'X-Dashboard-Request': '1' };

/** Throws a {@link Failure} for every failed response, so that callers need no status codes. */
const throwFailures: Middleware = {
  onError: () => noticed(noAnswer()),
  onResponse: async ({ response }) => {
    if (response.ok) return;
    const body: unknown = await response.json().catch(() => undefined);
    throw noticed(failureOf(response, body));
  },
};

let onFailure: (failure: Failure) => void = () => undefined;

/** Has every failed answer reported to `listener`. There is one listener. */
export function reportFailures(listener: (failure: Failure) => void): void {
  onFailure = listener;
}

function noticed(failure: Failure): Failure {
  if (failure.isAway) suspectOutage();
  onFailure(failure);
  return failure;
}

function clientAt<Paths extends object>(baseUrl: string, headers = {}): Client<Paths> {
  const client = createClient<Paths>({ baseUrl, headers: { ...OWN_REQUEST, ...headers } });
  client.use(throwFailures);
  return client;
}

/** Sessions, people and accounts. */
export const dashboardApi = clientAt<DashboardPaths>('');

/** `/v1` of an account, as the person who has signed in. */
export type V1Client = Client<V1Paths>;

export function v1Base(accountId: string): string {
  return `/dashboard/api/accounts/${accountId}`;
}

const v1Clients = new Map<string, V1Client>();

/**
 * The client of an account; the same one each time. Its requests are refused once another person has signed in in this
 * browser, who must not save what this one has written.
 */
export function v1(accountId: string, userId: string): V1Client {
  const name = `${userId}/${accountId}`;
  let client = v1Clients.get(name);
  if (!client) {
    client = clientAt<V1Paths>(v1Base(accountId), { 'X-Dashboard-User': userId });
    v1Clients.set(name, client);
  }
  return client;
}

/** The body of a successful answer: `data` and `meta` of the envelope. */
export async function bodyOf<Body>(call: Promise<{ data?: Body }>): Promise<Body> {
  const { data } = await call;
  return data as Body;
}

/** `data` of a successful answer. */
export async function dataOf<Data>(call: Promise<{ data?: { data: Data } }>): Promise<Data> {
  return (await bodyOf(call)).data;
}
