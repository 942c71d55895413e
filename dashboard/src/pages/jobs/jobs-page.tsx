import { Page } from '../../components/page.js';

export function JobsPage() {
  return <Page title="Jobs">Not built yet.</Page>;
}
