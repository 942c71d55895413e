import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { useSearchState } from '../../search-state.js';
import type { DocumentSession } from './editor/document-session.js';

/** The template in the address bar, which the session then creates its document from. */
export function useChosenTemplate(session: DocumentSession, isNew: boolean) {
  const { id: accountId, api } = useAccount();
  const [{ template: templateId }] = useSearchState();
  const isChosen = isNew && templateId !== undefined;
  const template = useQuery({
    queryKey: [accountId, 'templates', 'one', templateId],
    queryFn: () =>
      dataOf(api.GET('/v1/templates/{id}', { params: { path: { id: templateId ?? '' } } })),
    enabled: isChosen,
  });
  const chosen = isChosen ? template.data : undefined;
  // Before anything can be typed: with a template, typing does not create the document.
  useLayoutEffect(() => {
    if (isNew) session.setTemplate(templateId, chosen);
  }, [chosen, isNew, session, templateId]);
  return {
    template: chosen,
    isLoading: isChosen && template.isPending,
    problem: isChosen && template.error && <FailureAlert error={template.error} />,
  };
}
