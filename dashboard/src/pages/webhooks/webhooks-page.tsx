import { Page } from '../../components/page.js';

export function WebhooksPage() {
  return <Page title="Webhooks">Not built yet.</Page>;
}
