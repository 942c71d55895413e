import { Suspense } from 'react';
import { useSession } from '../api/session.js';
import { AppLink } from '../components/app-link.js';
import { PageLoading } from '../components/page-loading.js';
import { Page } from '../components/page.js';
import { PersonalShell } from './personal-layout.js';

const TITLE = 'Not found';
const SENTENCE = "This page doesn't exist.";

/** Also shown to people who are not signed in, and before the session is loaded. */
export function NotFoundPage() {
  return (
    <Suspense fallback={<PageLoading />}>
      <NotFound />
    </Suspense>
  );
}

function NotFound() {
  const { user } = useSession();
  const link = <AppLink to="/{-$accountId}">Go to the first page</AppLink>;
  const page = (
    <Page title={TITLE} sentence={SENTENCE}>
      {link}
    </Page>
  );
  return user ? <PersonalShell>{page}</PersonalShell> : <main>{page}</main>;
}
