import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { dashboardApi, dataOf } from '../../api/client.js';
import type { LinkPreview } from '../../api/people.js';
import { showDone } from '../../components/messages.js';
import { useBeginSession } from './use-begin-session.js';

/** Props of the pages for links. */
export interface LinkProps {
  token: string;
  link: LinkPreview;
}

interface LinkFields {
  email?: string;
  name?: string;
  password?: string;
  code?: string;
}

/** Uses a link and opens the page that it leads to. */
export function useLink({ token, link }: LinkProps) {
  const begin = useBeginSession();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (fields: LinkFields) =>
      dataOf(dashboardApi.POST('/dashboard/api/links/use', { body: { token, ...fields } })),
    onSuccess: async (session) => {
      if (session.user) {
        begin(session, link.account ? `/dashboard/${link.account.id}` : undefined);
        return;
      }
      // A link for a new password does not show whether there is a second factor.
      showDone('Password set. Sign in with your new password.');
      await navigate({ to: '/sign-in', replace: true });
    },
  });
}
