import { ReleaseExecution } from '../../src/features/releases/release-execution.js';
import type { ApiClient } from '../support/api-client.js';
import type { TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';

export interface ShownRelease {
  id: string;
  title: string | null;
  status: string;
  publishAt: string | null;
  timeZone: string | null;
  items: {
    id: string;
    action: string;
    version: number | null;
    outcome: string | null;
    problems: { check: string; issue: string }[];
  }[];
  hiddenItems: number;
  version: number;
  finishedAt: string | null;
}

interface Named {
  id: string;
}

/** The response to a schedule with both times. */
export interface Schedule {
  publish: ShownRelease;
  unpublish: ShownRelease;
}

interface PreviewItem {
  id: string;
  superseded: boolean;
  problems: { check: string }[];
  live: { version: number } | null;
  document: { content?: string; contentTruncated?: true } | null;
}

export const HOUR_MS = 3_600_000;

/** Returns a time that many hours after that of the service. */
export function inHours({ clock }: TestApp, hours: number): string {
  return new Date(clock.now().getTime() + hours * HOUR_MS).toISOString();
}

export const publishing = ({ id }: Named, version?: number) => ({
  id,
  action: 'publish',
  ...(version !== undefined && { version }),
});
export const unpublishing = ({ id }: Named) => ({ id, action: 'unpublish' });

export const createRelease = (api: ApiClient, body: object) =>
  api.send('POST', '/v1/releases', { body: { title: 'Campaign', ...body } });

export async function newRelease(api: ApiClient, body: object): Promise<ShownRelease> {
  return expectSuccess(await createRelease(api, body), 201) as ShownRelease;
}

export async function readRelease(api: ApiClient, { id }: Named): Promise<ShownRelease> {
  return expectSuccess(await api.send('GET', `/v1/releases/${id}`)) as ShownRelease;
}

export const patchRelease = (
  api: ApiClient,
  { id }: Named,
  body: object,
  headers: Record<string, string> = {},
) => api.send('PATCH', `/v1/releases/${id}`, { body, headers });

export const actOn = (api: ApiClient, { id }: Named, action: 'publish' | 'cancel') =>
  api.send('POST', `/v1/releases/${id}/${action}`);

export async function listReleases(api: ApiClient, query = ''): Promise<ShownRelease[]> {
  return expectSuccess(await api.send('GET', `/v1/releases${query}`)) as ShownRelease[];
}

export async function previewOf(api: ApiClient, { id }: Named): Promise<PreviewItem[]> {
  return expectSuccess(
    await api.send('GET', `/v1/releases/${id}/documents?limit=100`),
  ) as PreviewItem[];
}

export const putSchedule = (api: ApiClient, { id }: Named, body: object) =>
  api.send('PUT', `/v1/documents/${id}/schedule`, { body });

/** Publishes what is due, as a worker does. */
export async function runDue(app: TestApp): Promise<void> {
  const task = app.app.get(ReleaseExecution, { strict: false });
  while (await task.runBatch());
}

/** Returns what readers get of a document; undefined if they do not get it. */
export async function liveText(api: ApiClient, { id }: Named): Promise<string | undefined> {
  const response = await api.send('GET', `/v1/documents/${id}?version=published`);
  if (response.status === 404) return undefined;
  return (expectSuccess(response) as { content: string }).content;
}
