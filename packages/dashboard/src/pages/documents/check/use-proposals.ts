import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { dataOf } from '../../../api/client.js';
import { asFailure } from '../../../api/failure.js';
import { every } from '../../../api/queries.js';
import { useAccount, useUser } from '../../../api/session.js';
import type { components } from '../../../api/v1-schema.js';
import { showDone, showFailure, showNotice } from '../../../components/messages.js';
import { versionTag } from '../document-types.js';
import type { DocumentSession } from '../editor/document-session.js';
import { keepEnhancement, proposalsKey, type LoadedProposal } from '../margin/suggestions-key.js';
import type { SuggestionsOfText } from './use-suggestion-marks.js';
import type { Enhancement } from './use-suggestions.js';

export type FieldChange = components['schemas']['FieldChange'];

/** A document has at most so many open proposals. */
const MOST_OPEN = 50;

const NONE: readonly LoadedProposal[] = [];

/** Returns the open proposals for a document, newest first, and the actions for them. */
export function useProposals(session: DocumentSession, documentId: string) {
  const { id: accountId, api } = useAccount();
  const { id: userId } = useUser();
  const queryClient = useQueryClient();
  const path = { id: documentId };
  const read = ({ id, updatedAt }: Pick<Enhancement, 'id' | 'updatedAt'>) =>
    queryClient.query({
      queryKey: [accountId, 'proposals', 'one', id, updatedAt],
      queryFn: () =>
        dataOf(
          api.GET('/v1/documents/{id}/enhancements/{enhancementId}', {
            params: { path: { ...path, enhancementId: id } },
          }),
        ),
      staleTime: 'static',
    });
  const loaded = async (proposal: Enhancement): Promise<LoadedProposal> => {
    const { textVersion: number } = proposal;
    const { document } = session.snapshot();
    if (number === document?.version) return { proposal, text: document.content };
    const version = await queryClient.query({
      queryKey: [accountId, 'documents', 'version', documentId, number],
      queryFn: () =>
        dataOf(
          api.GET('/v1/documents/{id}/versions/{number}', {
            params: { path: { ...path, number } },
          }),
        ).catch(nullIfMissing),
      staleTime: 'static',
    });
    return { proposal, text: version?.content };
  };
  const open = useQuery({
    queryKey: proposalsKey(accountId, documentId),
    queryFn: async () => {
      const query = { documentId, limit: MOST_OPEN };
      const heads = await dataOf(api.GET('/v1/proposals', { params: { query } }));
      return Promise.all(heads.map(async (head) => loaded(await read(head))));
    },
    refetchInterval: every(30_000) as never,
  });
  const keep = (changed: Enhancement) => {
    keepEnhancement(queryClient, accountId, changed);
  };
  const decision = {
    onSuccess: keep,
    onError: (error: unknown) => {
      showFailure(error);
      void open.refetch();
    },
  };
  const reject = useMutation({
    mutationFn: ({ id, suggestionIds }: Decision) =>
      dataOf(
        api.POST('/v1/documents/{id}/enhancements/{enhancementId}/reject', {
          params: { path: { ...path, enhancementId: id } },
          body: { suggestionIds },
        }),
      ),
    ...decision,
  });
  const withdraw = useMutation({
    mutationFn: (id: string) =>
      dataOf(
        api.POST('/v1/documents/{id}/enhancements/{enhancementId}/withdraw', {
          params: { path: { ...path, enhancementId: id } },
        }),
      ),
    ...decision,
    onSuccess: (changed) => {
      keep(changed);
      showDone('Proposal withdrawn.');
    },
  });
  /** Field changes have no place in the text, so the service applies them. */
  const acceptFields = useMutation({
    mutationFn: async ({ id, suggestionIds }: Decision) => {
      let changed: Enhancement | undefined;
      await session.autosave.change(async (version) => {
        changed = await dataOf(
          api.POST('/v1/documents/{id}/enhancements/{enhancementId}/apply', {
            params: {
              path: { ...path, enhancementId: id },
              header: { 'If-Match': versionTag(version) },
            },
            body: { suggestionIds },
          }),
        );
        return dataOf(api.GET('/v1/documents/{id}', { params: { path } }));
      });
      return { changed, suggestionIds };
    },
    onSuccess: ({ changed, suggestionIds }) => {
      if (changed) keep(changed);
      const isStale = ({ id, status }: FieldChange) =>
        status === 'stale' && suggestionIds.includes(id);
      if (changed?.fieldChanges.some(isStale)) {
        showNotice('Not accepted: the field has another value by now.');
      }
    },
    onError: decision.onError,
  });
  const proposals = open.data ?? NONE;
  const marked = useMemo(
    () =>
      proposals.map(({ proposal, text }): SuggestionsOfText => ({
        text,
        suggestions: proposal.suggestions.filter(({ status }) => status === 'open'),
      })),
    [proposals],
  );
  return {
    documentId,
    isLoaded: open.data !== undefined,
    proposals,
    marked,
    error: open.error,
    retry: () => void open.refetch(),
    isMine: ({ createdBy }: Enhancement) => createdBy.id === userId,
    reject: reject.mutate,
    withdraw: withdraw.mutate,
    acceptFields: acceptFields.mutate,
  };
}

function nullIfMissing(error: unknown): null {
  if (asFailure(error).status === 404) return null;
  throw error;
}

/** The changes of a proposal to accept or reject. */
interface Decision {
  /** ID of the proposal. */
  id: string;
  suggestionIds: string[];
}
