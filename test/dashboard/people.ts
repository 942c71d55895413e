import type { Role } from '../../src/auth/roles.js';
import { decodeId } from '../../src/identifiers/identifiers.js';
import type { TestApp } from '../support/app.js';
import { Browser, type SessionState } from '../support/browser.js';

export interface SignedInPerson {
  browser: Browser;
  user: NonNullable<SessionState['user']>;
  /** Public id of the account of this person's own. */
  accountId: string;
}

/** Somebody who owns a new account, signed in. */
export async function signUpAs(app: TestApp): Promise<SignedInPerson> {
  const browser = new Browser(app.origin);
  const { user, accounts } = await browser.signUp();
  const [account] = accounts;
  if (!user || !account) throw new Error('Nobody has signed up.');
  return { browser, user, accountId: account.id };
}

/** Somebody else who belongs to the account, by SQL: invitations are the subject of tests of their own. */
export async function join(app: TestApp, accountId: string, role: Role): Promise<SignedInPerson> {
  const person = await signUpAs(app);
  await app.dataSource.query(
    'INSERT INTO members (account_id, user_id, role, created_at) VALUES ($1, $2, $3, now())',
    [decodeId('account', accountId), decodeId('user', person.user.id), role],
  );
  return person;
}
