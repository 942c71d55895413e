import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * The secret of a link, which stands behind `#` so that no server logs it. It is taken out of the address bar at once, for
 * screenshots and the history.
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
