import { Page } from '../components/page.js';
import { AppLink } from '../components/app-link.js';

export function NotFoundPage() {
  return (
    <Page title="Not found" sentence="The dashboard has no such page.">
      <AppLink to="/{-$accountId}/overview">Go to the Overview</AppLink>
    </Page>
  );
}
