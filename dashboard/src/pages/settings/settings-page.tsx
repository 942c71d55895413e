import { Page } from '../../components/page.js';

export function SettingsPage() {
  return <Page title="Settings">Not built yet.</Page>;
}
