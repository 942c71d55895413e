import { Page } from '../../components/page.js';

export function TemplatePage() {
  return <Page title="Template">Not built yet.</Page>;
}
