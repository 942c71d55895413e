import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../api/session.js';
import { PageLoading } from '../components/page-loading.js';

/**
 * The pages of somebody who has signed in. When the session ends meanwhile, they give way to the sign-in page; when somebody
 * else has signed in in another tab, everything is loaded anew, so that nobody sees what belonged to the one before.
 */
export function SignedInLayout() {
  const { user } = useSession();
  const router = useRouter();
  const [firstId] = useState(user?.id);
  const isOther = user !== null && user.id !== firstId;
  const isOut = user === null;
  useEffect(() => {
    if (isOther) window.location.reload();
    // The route sends to the sign-in page, and remembers the page.
    else if (isOut) void router.invalidate();
  }, [isOther, isOut, router]);
  return user && !isOther ? <Outlet /> : <PageLoading />;
}
