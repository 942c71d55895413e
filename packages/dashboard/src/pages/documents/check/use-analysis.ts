import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../../api/client.js';
import { every } from '../../../api/queries.js';
import { useAccount } from '../../../api/session.js';
import type { components } from '../../../api/v1-schema.js';

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
