import { Page } from '../../components/page.js';

export function NewDocumentPage() {
  return <Page title="New document">Not built yet.</Page>;
}
