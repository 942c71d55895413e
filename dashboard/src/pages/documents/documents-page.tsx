import { Page } from '../../components/page.js';

export function DocumentsPage() {
  return <Page title="Documents">Not built yet.</Page>;
}
