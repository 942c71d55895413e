import { Page } from '../../components/page.js';

export function ProfilePage() {
  return <Page title="Profile">Not built yet.</Page>;
}
