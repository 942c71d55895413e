import type { Role } from '../../src/features/access/auth/roles.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import type { TestApp } from '../support/app.js';
import { Browser, type SessionState } from '../support/browser.js';

export interface SignedInPerson {
  browser: Browser;
  user: NonNullable<SessionState['user']>;
  /** Public id of the account of this person's own. */
  accountId: string;
}

/** People come from addresses of their own: who signs up too often from one is held up. */
export const FROM_EVERYWHERE = { TRUST_PROXY: '1' };

let people = 0;

/** A browser at an address of its own, in an app that is {@link FROM_EVERYWHERE}. */
export function newBrowser(app: TestApp): Browser {
  people += 1;
  const address = `10.0.${String(people >> 8)}.${String(people & 255)}`;
  return new Browser(app.origin, { 'x-forwarded-for': address });
}

/** Somebody who owns a new account, signed in. */
export async function signUpAs(app: TestApp): Promise<SignedInPerson> {
  const browser = newBrowser(app);
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
