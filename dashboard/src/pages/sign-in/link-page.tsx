import { Page } from '../../components/page.js';

export function LinkPage() {
  return <Page title="Welcome">Not built yet.</Page>;
}
