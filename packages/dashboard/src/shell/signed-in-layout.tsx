import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../api/session.js';
import { PageLoading } from '../components/page-loading.js';
import { OtherPersonPage } from './other-person-page.js';

/**
 * The pages of a signed-in person. They give way to the sign-in page when the session ends, and to a notice when another
 * person has signed in in this browser, who must not see what belongs to the first.
 */
export function SignedInLayout() {
  const { user } = useSession();
  const router = useRouter();
  const [firstId] = useState(user?.id);
  const isOut = user === null;
  useEffect(() => {
    // The route sends to the sign-in page, and remembers the page.
    if (isOut) void router.invalidate();
  }, [isOut, router]);
  if (!user) return <PageLoading />;
  if (user.id === firstId) return <Outlet />;
  return <OtherPersonPage user={user} />;
}
