import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { LARGEST_PAGE } from '../../../api/all-pages.js';
import { bodyOf, dataOf } from '../../../api/client.js';
import { every } from '../../../api/queries.js';
import { useAccount } from '../../../api/session.js';
import type { components } from '../../../api/v1-schema.js';
import { useRules } from '../../../components/use-rules.js';
import type { DocumentSession } from '../editor/document-session.js';
import { followJob } from '../follow-job.js';
import { suggestionsKey } from '../margin/suggestions-key.js';

export type Enhancement = components['schemas']['Enhancement'];
export type Suggestion = components['schemas']['Suggestion'];
type EnhancementJob = components['schemas']['EnhancementJob'];

/** Options for a new set of suggestions. */
export type EnhanceRequest = components['schemas']['EnhanceDocument'];

/** Interval for polling a set in progress, in ms. */
const PENDING_EVERY = 1_500;

const NO_SUGGESTIONS: readonly Suggestion[] = [];

/** Returns the newest set of suggestions for a document, and its actions. */
export function useSuggestions(documentId: string, session: DocumentSession) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const path = { id: documentId };
  const queryKey = suggestionsKey(accountId, documentId);
  const keep = (enhancement: Enhancement) => {
    queryClient.setQueryData<Enhancement | null>(queryKey, enhancement);
  };
  const read = (enhancementId: string) =>
    dataOf(
      api.GET('/v1/documents/{id}/enhancements/{enhancementId}', {
        params: { path: { ...path, enhancementId } },
      }),
    );
  const list = (limit: number) =>
    dataOf(api.GET('/v1/documents/{id}/enhancements', { params: { path, query: { limit } } }));
  const newest = useQuery({
    queryKey,
    queryFn: async () => {
      const [first] = await list(1);
      const generated = first?.proposal
        ? (await list(LARGEST_PAGE)).find(({ proposal }) => proposal === null)
        : first;
      return generated ? read(generated.id) : null;
    },
    refetchInterval: (query) =>
      query.state.data?.status === 'pending' ? PENDING_EVERY : every(false)(query as never),
  });
  const enhancement = newest.data ?? undefined;
  const suggest = useMutation({
    mutationFn: async (body: EnhanceRequest) => {
      await session.autosave.save();
      const { data: result } = await bodyOf<{ data: Enhancement | EnhancementJob }>(
        api.POST('/v1/documents/{id}/enhance', { params: { path }, body }),
      );
      if (!('enhancementId' in result)) return result;
      await followJob(api, result.id);
      return read(result.enhancementId);
    },
    onSuccess: keep,
  });
  const reject = useMutation({
    mutationFn: ({ id, suggestionIds }: { id: string; suggestionIds: string[] | 'all' }) =>
      dataOf(
        api.POST('/v1/documents/{id}/enhancements/{enhancementId}/reject', {
          params: { path: { ...path, enhancementId: id } },
          body: { suggestionIds },
        }),
      ),
    onSuccess: keep,
  });
  const { settings, off } = useRules();
  const open = useMemo(
    () =>
      enhancement?.suggestions.filter(
        ({ status, ruleId }) => status === 'open' && !off.has(ruleId),
      ) ?? NO_SUGGESTIONS,
    [enhancement, off],
  );
  const hasModel = settings.data?.provider === 'model';
  return { newest, enhancement, open, suggest, reject, hasModel };
}
