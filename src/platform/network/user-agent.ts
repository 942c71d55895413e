import type { IncomingHttpHeaders } from 'node:http';
import { redactedStart } from '../basics/redact-secrets.js';

/** Most characters of the header that are stored. */
export const MAX_USER_AGENT = 300;

/** Returns the header `User-Agent` for storage, without secrets and truncated; `null` without one. */
export function userAgentOf({ headers }: { headers: IncomingHttpHeaders }): string | null {
  const sent = headers['user-agent'];
  return sent === undefined ? null : redactedStart(sent, MAX_USER_AGENT);
}
