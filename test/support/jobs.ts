import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, ApiResponse } from './api-client.js';

/** A job in the API's response. */
export interface ShownJob {
  id: string;
  kind: string;
  status: string;
  progress: { done: number; total: number | null };
  result: {
    url: string;
    bytes: number;
    mediaType: string;
    fileName: string;
    expiresAt: string;
    summary: any;
  } | null;
  error: { code: string; message: string; details: any } | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
}

/** Leaves the processor to the job. */
const BETWEEN_LOOKS_MS = 20;

/** Polls the job until it meets the condition. Fails after `withinMs`. */
export async function jobWhen(
  api: ApiClient,
  id: string,
  isWanted: (job: ShownJob) => boolean,
  withinMs = 60_000,
): Promise<ShownJob> {
  const end = performance.now() + withinMs;
  for (;;) {
    const response = await api.readJob(id);
    const job = (response.body as { data: ShownJob }).data;
    if (response.status !== 200) throw new Error(response.text);
    if (isWanted(job)) return job;
    if (performance.now() > end)
      throw new Error(`The job did not get there in time: ${response.text}`);
    await delay(BETWEEN_LOOKS_MS);
  }
}

/** Returns the job once it has ended. */
export function endOf(api: ApiClient, accepted: ApiResponse, withinMs?: number): Promise<ShownJob> {
  const { id } = (accepted.body as { data: ShownJob }).data;
  return jobWhen(api, id, ({ finishedAt }) => finishedAt !== null, withinMs);
}

/** Returns the account's archive as text. */
export async function exportedArchive(api: ApiClient, withinMs?: number): Promise<string> {
  const accepted = await api.exportAccount();
  if (accepted.status !== 202) throw new Error(accepted.text);
  const job = await endOf(api, accepted, withinMs);
  if (job.status !== 'succeeded') throw new Error(JSON.stringify(job));
  return (await api.readJobResult(job.id)).text;
}

/** Returns the import job once it has ended. */
export async function importedArchive(
  api: ApiClient,
  archive: string | Buffer,
  withinMs?: number,
): Promise<ShownJob> {
  const accepted = await api.importAccount(archive);
  if (accepted.status !== 202) throw new Error(accepted.text);
  return endOf(api, accepted, withinMs);
}
