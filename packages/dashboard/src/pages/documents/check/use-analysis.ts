import { useQuery } from '@tanstack/react-query';
import { bodyOf, dataOf, type V1Client } from '../../../api/client.js';
import { every } from '../../../api/queries.js';
import { useAccount } from '../../../api/session.js';
import type { components } from '../../../api/v1-schema.js';
import { followJob, isJob, type Job } from '../follow-job.js';

export type Analysis = components['schemas']['Analysis'];

/** Returns the newest stored analysis of a document, or null. */
export function useAnalysis(documentId: string) {
  const { id: accountId, api } = useAccount();
  return useQuery({
    queryKey: analysisKey(accountId, documentId),
    queryFn: async () => {
      const { data } = await bodyOf(
        api.GET('/v1/documents/{id}/analyses', {
          params: { path: { id: documentId }, query: { limit: 1 } },
        }),
      );
      return data[0] ?? null;
    },
    refetchInterval: every(false) as never,
  });
}

export function analysisKey(accountId: string, documentId: string) {
  return [accountId, 'documents', 'analysis', documentId];
}

/** Analyzes the current version of a document, unless that was done before. */
export async function analyze(api: V1Client, documentId: string): Promise<Analysis> {
  const path = { id: documentId };
  const { data: accepted } = await bodyOf<{ data: Analysis | Job }>(
    api.POST('/v1/documents/{id}/analyze', { params: { path }, body: {} }),
  );
  if (!isJob(accepted)) return accepted;
  const { result } = await followJob(api, accepted.id);
  const { analysisId } = result as { analysisId: string };
  return dataOf(
    api.GET('/v1/documents/{id}/analyses/{analysisId}', {
      params: { path: { ...path, analysisId } },
    }),
  );
}
