import { Page } from '../../components/page.js';
import { AccountsSection } from './accounts-section.js';
import { ColorsSection } from './colors-section.js';
import { ConnectedAppsSection } from './connected-apps-section.js';
import { NameSection } from './name-section.js';
import { PasswordSection } from './password-section.js';
import { SessionsSection } from './sessions-section.js';
import { TwoFactorSection } from './two-factor-section.js';

export function ProfilePage() {
  return (
    <Page title="Profile" sentence="Your settings for all accounts.">
      <NameSection />
      <PasswordSection />
      <TwoFactorSection />
      <SessionsSection />
      <AccountsSection />
      <ConnectedAppsSection />
      <ColorsSection />
    </Page>
  );
}
