import { Page } from '../../components/page.js';

export function RequestPage() {
  return <Page title="Request">Not built yet.</Page>;
}
