import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { useSearchState } from '../../search-state.js';
import type { DocumentSession } from './editor/document-session.js';

/** Loads the template in the URL. The session creates its document from it, in the folder in the URL. */
export function useChosenTemplate(session: DocumentSession, isNew: boolean) {
  const { id: accountId, api } = useAccount();
  const [{ template: templateId, folder }] = useSearchState();
  const isChosen = isNew && templateId !== undefined;
  const template = useQuery({
    queryKey: [accountId, 'templates', 'one', templateId],
    queryFn: () =>
      dataOf(api.GET('/v1/templates/{id}', { params: { path: { id: templateId ?? '' } } })),
    enabled: isChosen,
  });
  const chosen = isChosen ? template.data : undefined;
  // Runs before anything can be typed, because typing must not create the document if there is a template.
  useLayoutEffect(() => {
    if (!isNew) return;
    session.setTemplate(templateId, chosen);
    session.setFolder(folder);
  }, [chosen, folder, isNew, session, templateId]);
  return {
    template: chosen,
    isLoading: isChosen && template.isPending,
    problem: isChosen && template.error && <FailureAlert error={template.error} />,
  };
}
