import type { QueryClient } from '@tanstack/react-query';
import type { components } from '../../../api/v1-schema.js';

type Enhancement = components['schemas']['Enhancement'];

/** A proposal, and the text that the positions of its suggestions refer to. */
export interface LoadedProposal {
  proposal: Enhancement;
  /** Undefined if it is not loaded, or not stored any more. */
  text: string | undefined;
}

/** Key of the newest set of suggestions for a document. */
export function suggestionsKey(accountId: string, documentId: string) {
  return [accountId, 'documents', 'suggestions', documentId];
}

/** Key of the open proposals for a document. */
export function proposalsKey(accountId: string, documentId: string) {
  return [accountId, 'proposals', 'of', documentId];
}

/** Shows a set of suggestions, or a proposal, as it is after a decision. */
export function keepEnhancement(client: QueryClient, accountId: string, made: Enhancement): void {
  const { id, documentId, textVersion } = made;
  if (made.proposal) {
    client.setQueryData<LoadedProposal[]>(proposalsKey(accountId, documentId), (shown) =>
      shown?.map((one) => {
        if (one.proposal.id !== id) return one;
        const isSameText = one.proposal.textVersion === textVersion;
        return { proposal: made, text: isSameText ? one.text : undefined };
      }),
    );
    void client.invalidateQueries({ queryKey: [accountId, 'proposals'] });
  } else {
    // A newer set may be shown by now.
    client.setQueryData<Enhancement | null>(suggestionsKey(accountId, documentId), (shown) =>
      shown?.id === id ? made : shown,
    );
  }
}
