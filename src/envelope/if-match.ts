import { AppError } from '../errors/app-error.js';

/** What the client says the resource must still be: `*`, or a list of entity tags; `undefined` asks for nothing. */
export type IfMatch = string | undefined;

/**
 * Refuses a change when the resource is not what the client has seen (RFC 9110, 13.1.1; tags compare strongly). Throws
 * `precondition_failed` with the current version and its tag.
 */
export function requireMatch(header: IfMatch, current: { version: number; etag: string }): void {
  if (header === undefined) return;
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(current.etag)) return;
  throw preconditionFailed(current);
}

/** The answer to a change of what has changed meanwhile. */
export function preconditionFailed({ version, etag }: { version: number; etag: string }): AppError {
  return new AppError(
    'precondition_failed',
    'This is not the version you have seen. Read the current one, make your change to it, and send its ETag.',
    {
      field: 'If-Match',
      issue: 'names another version',
      currentVersion: version,
      currentETag: etag,
    },
  );
}
