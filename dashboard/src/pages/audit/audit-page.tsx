import { Page } from '../../components/page.js';

export function AuditPage() {
  return <Page title="Audit log">Not built yet.</Page>;
}
