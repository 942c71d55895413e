import { Page } from '../../components/page.js';

export function WebhookPage() {
  return <Page title="Webhook">Not built yet.</Page>;
}
