import { invalidFields } from '../../../platform/basics/errors/app-error.js';

/** The syntax browsers accept in `<input type="email">` (HTML Standard, "valid email address"). */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** RFC 5321: a path has at most 256 characters including angle brackets, the local part at most 64. */
const MAX_LENGTH = 254;
const MAX_LOCAL_PART = 64;

/** The domain of the addresses of service accounts. Names below .invalid never resolve (RFC 6761). */
export const SERVICE_DOMAIN = 'service.invalid';

/**
 * Returns the address in lowercase, so that one address is one user. Throws `bad_request` if it is invalid, or if it is
 * the address of a service account: those never sign in, receive mail or join another account.
 */
export function normalizeEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_LENGTH || email.indexOf('@') > MAX_LOCAL_PART || !EMAIL.test(email)) {
    throw invalidFields([
      { field: 'email', issue: 'is not an e-mail address; write it like ada@example.com' },
    ]);
  }
  if (email.endsWith(`@${SERVICE_DOMAIN}`)) {
    const issue = 'is the address of a service account, which works only through its API keys';
    throw invalidFields([{ field: 'email', issue }]);
  }
  return email;
}

/** Returns the part before the @, the default name of a user. */
export function localPart(email: string): string {
  return email.slice(0, email.indexOf('@'));
}
