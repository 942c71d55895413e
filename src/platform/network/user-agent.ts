import type { IncomingHttpHeaders } from 'node:http';
import { redactedStart } from '../basics/redact-secrets.js';

/** Maximum number of characters to store. */
export const MAX_USER_AGENT = 300;

/** Returns the `User-Agent` header for storage, truncated and without secrets, or `null` if there is none. */
export function userAgentOf({ headers }: { headers: IncomingHttpHeaders }): string | null {
  const sent = headers['user-agent'];
  return sent === undefined ? null : redactedStart(sent, MAX_USER_AGENT);
}
