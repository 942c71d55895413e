import { Page } from '../../components/page.js';

export function RequestsPage() {
  return <Page title="Requests">Not built yet.</Page>;
}
