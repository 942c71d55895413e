import { Page } from '../../components/page.js';

export function TemplatesPage() {
  return <Page title="Templates">Not built yet.</Page>;
}
