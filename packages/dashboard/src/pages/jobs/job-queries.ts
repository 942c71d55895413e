import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dataOf, v1Base } from '../../api/client.js';
import { useAccount, type Scope } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { showDone, showFailure } from '../../components/messages.js';

export type Job = components['schemas']['Job'];
type JobFile = components['schemas']['JobResult'];

/** Intervals for polling jobs while one of them runs, and otherwise, in ms. */
const WHILE_RUNNING = 2_000;
const AT_REST = 15_000;

export function isUnderWay({ status }: Pick<Job, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

export function jobsInterval(jobs: readonly Job[] | undefined): number {
  return jobs?.some(isUnderWay) === true ? WHILE_RUNNING : AT_REST;
}

/** File made by a job, until it expires. */
export function fileOf({ result }: Job, now: Date): JobFile | undefined {
  const file = result as Partial<JobFile> | null;
  if (file?.url === undefined || file.expiresAt === undefined) return undefined;
  return Date.parse(file.expiresAt) > now.getTime() ? (file as JobFile) : undefined;
}

/** URL of the result. */
export function resultUrl(accountId: string, jobId: string): string {
  return `${v1Base(accountId)}/v1/jobs/${jobId}/result`;
}

/** Scope that is required to cancel a job: the one that starts it. */
export function scopeOf({ kind }: Job): Scope {
  if (kind.startsWith('account')) return '*';
  return kind.endsWith('export') ? 'documents:read' : 'documents:analyze';
}

export function useCancelJob() {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Job) => dataOf(api.DELETE('/v1/jobs/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      showDone('Job cancelled. Its changes were undone.');
    },
    onError: showFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [accountId, 'jobs'] }),
  });
}
