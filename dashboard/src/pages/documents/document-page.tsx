import { Page } from '../../components/page.js';

export function DocumentPage() {
  return <Page title="Document">Not built yet.</Page>;
}
