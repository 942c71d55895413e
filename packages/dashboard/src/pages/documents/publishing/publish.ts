import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../../api/client.js';
import { asFailure, Failure } from '../../../api/failure.js';
import { useAccount } from '../../../api/session.js';
import type { components } from '../../../api/v1-schema.js';
import { showDone, showFailure } from '../../../components/messages.js';
import { useDialogs } from '../../../components/use-dialogs.js';
import { versionTag, type Document } from '../document-types.js';
import type { DocumentSession, SessionView } from '../editor/document-session.js';

/** Why somebody publishes a version despite its problems. */
export type Override = components['schemas']['Override'];

/** Parameters of a request that changes the document only if it is still at the version on the screen. */
interface ParamsOfVersion {
  path: { id: string };
  header: { 'If-Match': string };
}

export function paramsOf(id: string, version: number): ParamsOfVersion {
  return { path: { id }, header: { 'If-Match': versionTag(version) } };
}

/**
 * Saves the text, then sends a request about exactly this version. If somebody else changed the document in between,
 * merges their change and throws, because nobody has seen the result yet.
 */
export function changePublication(
  { autosave, documentId = '' }: DocumentSession,
  request: (params: ParamsOfVersion) => Promise<Document>,
): Promise<void> {
  let wasRefused = false;
  return autosave.change((version) => {
    if (wasRefused) {
      throw new Failure(
        'Someone else just changed this document. Check their changes, then try again.',
        412,
      );
    }
    wasRefused = true;
    return request(paramsOf(documentId, version));
  });
}

/** Publishes what is on the screen. */
export function usePublish(session: DocumentSession, onError?: (error: unknown) => void) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (override: Override | undefined) => {
      const body = override && { override };
      return changePublication(session, (params) =>
        dataOf(api.POST('/v1/documents/{id}/publish', { params, body })),
      );
    },
    onSuccess: async () => {
      showDone('Published. Readers get this version.');
      await queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
    },
    onError,
  });
}

/** Like `usePublish`. Shows why it failed; opens the checks if the rules of the account refused it. */
export function usePublishButton(session: DocumentSession) {
  const dialogs = useDialogs();
  return usePublish(session, (error) => {
    if (asFailure(error).isRefusedByRules) dialogs.open('checks');
    else showFailure(error);
  });
}

/** Returns whether the text differs from what readers get. What is not saved yet counts, a suggestion does not. */
export function hasUnpublishedChanges({ document, isUnsaved, suggesting }: SessionView): boolean {
  const published = document?.published;
  return published !== undefined && (published.changed || (isUnsaved && !suggesting));
}
