import { Page } from '../../components/page.js';

export function SignUpPage() {
  return <Page title="Sign up">Not built yet.</Page>;
}
