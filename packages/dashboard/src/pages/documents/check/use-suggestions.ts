import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { bodyOf, dataOf } from '../../../api/client.js';
import { every } from '../../../api/queries.js';
import { useAccount } from '../../../api/session.js';
import type { components } from '../../../api/v1-schema.js';
import { useRules } from '../../../components/use-rules.js';
import type { DocumentSession } from '../editor/document-session.js';
import type { MarkedRange } from '../editor/marks.js';
import { editorPosition, withPlainLineBreaks } from '../editor/line-breaks.js';
import { followJob } from '../follow-job.js';
import { suggestionsKey } from '../margin/suggestions-key.js';
import { placeIn } from './locate.js';

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
  const newest = useQuery({
    queryKey,
    queryFn: async () => {
      const { data } = await bodyOf(
        api.GET('/v1/documents/{id}/enhancements', { params: { path, query: { limit: 1 } } }),
      );
      return data[0] ? read(data[0].id) : null;
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
  useSuggestionMarks(session, open);
  const hasModel = settings.data?.provider === 'model';
  return { newest, enhancement, open, suggest, reject, hasModel };
}

/** Marks the passages of the suggestions. Existing marks have moved with the text. */
function useSuggestionMarks(session: DocumentSession, suggestions: readonly Suggestion[]): void {
  useEffect(() => {
    const { content } = session.autosave.yours;
    const version = session.snapshot().document?.content ?? content;
    const known = new Map(session.editor.marks('suggestions').map((mark) => [mark.id, mark]));
    const ranges = suggestions.flatMap((suggestion): MarkedRange[] => {
      const { id, original, message: hint } = suggestion;
      const mark = known.get(id);
      if (mark) return [{ ...mark, isHidden: false }];
      const place = placeIn(content, version, suggestion);
      if (!place) return [];
      const from = editorPosition(content, place.from);
      const to = editorPosition(content, place.to);
      return [{ id, from, to, hint, original: withPlainLineBreaks(original) }];
    });
    session.editor.mark('suggestions', ranges);
  }, [session, suggestions]);
  useEffect(
    () => () => {
      // Undo may still remove accepted replacements.
      const accepted = session.editor
        .marks('suggestions')
        .filter(({ id }) => session.acceptances.has(id))
        .map((mark) => ({ ...mark, isHidden: true }));
      session.editor.mark('suggestions', accepted);
    },
    [session],
  );
}
