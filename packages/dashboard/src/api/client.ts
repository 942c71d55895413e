import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths as DashboardPaths } from './dashboard-schema.js';
import { failureOf, noResponse, type Failure } from './failure.js';
import { suspectOutage } from './outage.js';
import type { paths as V1Paths } from './v1-schema.js';

/**
 * Forms and other sites cannot send this header, so a change with it comes from the dashboard
 * (docs/adr/0007-one-api-for-keys-people-and-mcp.md).
 */
const OWN_REQUEST = { 'X-Dashboard-Request': '1' };

/** Throws a {@link Failure} for every failed response, so that callers need no status codes. */
const throwFailures: Middleware = {
  onError: ({ error, request }) => {
    if (request.signal.aborted) return error instanceof Error ? error : undefined;
    return noticed(noResponse());
  },
  onResponse: async ({ response }) => {
    if (response.ok) return;
    const body: unknown = await response.json().catch(() => undefined);
    throw noticed(failureOf(response, body));
  },
};

let onFailure: (failure: Failure) => void = () => undefined;

/** Reports every failed response to `listener`, which replaces the previous one. */
export function reportFailures(listener: (failure: Failure) => void): void {
  onFailure = listener;
}

function noticed(failure: Failure): Failure {
  if (failure.isUnavailable) suspectOutage();
  onFailure(failure);
  return failure;
}

function clientAt<Paths extends object>(baseUrl: string, headers = {}): Client<Paths> {
  const client = createClient<Paths>({ baseUrl, headers: { ...OWN_REQUEST, ...headers } });
  client.use(throwFailures);
  return client;
}

/** Client of the routes for sessions, people and accounts. */
export const dashboardApi = clientAt<DashboardPaths>('');

/** Client of `/v1` for one account, with the session of the signed-in person. */
export type V1Client = Client<V1Paths>;

export function v1Base(accountId: string): string {
  return `/dashboard/api/accounts/${accountId}`;
}

const v1Clients = new Map<string, V1Client>();

/**
 * Returns the client of an account, always the same one. It refuses requests once another person has signed in in this
 * browser, because that person must not save what this one wrote.
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

/** Body of a successful response: `data` and `meta` of the envelope. */
export async function bodyOf<Body>(call: Promise<{ data?: Body }>): Promise<Body> {
  const { data } = await call;
  return data as Body;
}

/** `data` of a successful response. */
export async function dataOf<Data>(call: Promise<{ data?: { data: Data } }>): Promise<Data> {
  return (await bodyOf(call)).data;
}
