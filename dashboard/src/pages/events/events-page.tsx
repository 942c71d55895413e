import { Page } from '../../components/page.js';

export function EventsPage() {
  return <Page title="Events">Not built yet.</Page>;
}
