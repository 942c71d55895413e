import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../api/session.js';
import { PageLoading } from '../components/page-loading.js';
import { OtherPersonPage } from './other-person-page.js';

/**
 * Layout for signed-in people. Shows the sign-in page when the session ends, and a notice when another person has
 * signed in in this browser, who must not see the data of the first one.
 */
export function SignedInLayout() {
  const { user } = useSession();
  const router = useRouter();
  const [firstId] = useState(user?.id);
  const isOut = user === null;
  useEffect(() => {
    // The route redirects to the sign-in page and remembers this page.
    if (isOut) void router.invalidate();
  }, [isOut, router]);
  if (!user) return <PageLoading />;
  if (user.id === firstId) return <Outlet />;
  return <OtherPersonPage user={user} />;
}
