import { invalidFields } from '../../../../platform/basics/errors/app-error.js';

/** What browsers accept in `<input type="email">` (HTML Standard, "valid email address"). */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** RFC 5321: a path is at most 256 characters with its angle brackets, the part before the @ at most 64. */
const MAX_LENGTH = 254;
const MAX_LOCAL_PART = 64;

/** The address in lower case, so that one address is one user. Throws `bad_request` when it is none. */
export function normalizeEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_LENGTH || email.indexOf('@') > MAX_LOCAL_PART || !EMAIL.test(email)) {
    throw invalidFields([
      { field: 'email', issue: 'is not an e-mail address; write it like ada@example.com' },
    ]);
  }
  return email;
}

/** What stands before the @: how a user is called who gave no name. */
export function localPart(email: string): string {
  return email.slice(0, email.indexOf('@'));
}
