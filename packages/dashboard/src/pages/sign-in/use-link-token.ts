import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * Returns the secret of a link, which is in the fragment so that no server logs it. Removes it from the URL, so that
 * screenshots and the history do not show it.
 */
export function useLinkToken(): string | undefined {
  const { history } = useRouter();
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const [token, setToken] = useState(hash === '' ? undefined : hash);
  useEffect(() => {
    if (hash === '') return;
    setToken(hash);
    history.replace(window.location.pathname);
  }, [hash, history]);
  return token;
}
