import type { Role } from '../../src/features/auth/roles.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import type { TestApp } from '../support/app.js';
import { Browser, type SessionState } from '../support/browser.js';

export interface SignedInPerson {
  browser: Browser;
  user: NonNullable<SessionState['user']>;
  /** Public id of this person's account. */
  accountId: string;
}

/** People need different addresses, because an address that signs up too often is delayed. */
export const FROM_EVERYWHERE = { TRUST_PROXY: '1' };

let people = 0;

/** Returns a browser with a different address, in an app that is {@link FROM_EVERYWHERE}. */
export function newBrowser(app: TestApp): Browser {
  people += 1;
  const address = `10.0.${String(people >> 8)}.${String(people & 255)}`;
  return new Browser(app.origin, { 'x-forwarded-for': address });
}

/** Signs up and signs in somebody who owns a new account. */
export async function signUpAs(app: TestApp): Promise<SignedInPerson> {
  const browser = newBrowser(app);
  const { user, accounts } = await browser.signUp();
  const [account] = accounts;
  if (!user || !account) throw new Error('Nobody has signed up.');
  return { browser, user, accountId: account.id };
}

/** Adds somebody else to the account by SQL, because invitations have their own tests. */
export async function join(app: TestApp, accountId: string, role: Role): Promise<SignedInPerson> {
  const person = await signUpAs(app);
  await app.dataSource.query(
    'INSERT INTO members (account_id, user_id, role, created_at) VALUES ($1, $2, $3, now())',
    [decodeId('account', accountId), decodeId('user', person.user.id), role],
  );
  return person;
}
