import { Page } from '../../components/page.js';

export function SignInPage() {
  return <Page title="Sign in">Not built yet.</Page>;
}
