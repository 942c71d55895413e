import { invalidFields } from '../../../platform/basics/errors/app-error.js';

/** The syntax browsers accept in `<input type="email">` (HTML Standard, "valid email address"). */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** RFC 5321: a path has at most 256 characters including angle brackets, the local part at most 64. */
const MAX_LENGTH = 254;
const MAX_LOCAL_PART = 64;

/** Returns the address in lowercase, so that one address is one user. Throws `bad_request` if it is invalid. */
export function normalizeEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_LENGTH || email.indexOf('@') > MAX_LOCAL_PART || !EMAIL.test(email)) {
    throw invalidFields([
      { field: 'email', issue: 'is not an e-mail address; write it like ada@example.com' },
    ]);
  }
  return email;
}

/** Returns the part before the @, the default name of a user. */
export function localPart(email: string): string {
  return email.slice(0, email.indexOf('@'));
}
