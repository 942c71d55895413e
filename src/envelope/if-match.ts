import { AppError, invalidFields } from '../errors/app-error.js';
import { readEntityTags } from './entity-tags.js';

/** What the client says the resource must still be: `*`, or a list of entity tags; `undefined` asks for nothing. */
export type IfMatch = string | undefined;

/** What there is, as far as preconditions go. */
interface Current {
  version: number;
  etag: string;
}

/**
 * Refuses a change when the resource is not what the client has seen (RFC 9110, 13.1.1; tags compare strongly). Throws
 * `precondition_failed` with the current version and its tag, and `bad_request` for what is no list of tags.
 */
export function requireMatch(header: IfMatch, current: Current): void {
  if (header === undefined) return;
  const tags = readEntityTags(header);
  if (!tags) throw noEntityTag(header, current);
  if (tags === '*' || tags.some(({ weak, opaque }) => !weak && opaque === current.etag)) return;
  if (tags.every(({ weak }) => weak)) throw weaklyTagged(current);
  throw preconditionFailed(current);
}

/** The answer to a change of what has changed meanwhile. */
export function preconditionFailed(current: Current): AppError {
  return failed(
    'This is not the version you have seen. Read the current one, make your change to it, and send its ETag.',
    'names another version',
    current,
  );
}

/** The answer to weak tags, which say only that two things mean the same. */
export function weaklyTagged(current: Current): AppError {
  return failed(
    `If-Match compares strongly, and a weak entity tag never matches. Send the ETag without W/, such as ${current.etag}.`,
    'is a weak entity tag, which never matches',
    current,
  );
}

/** The answer to a header that is no list of entity tags. */
export function noEntityTag(header: string, { etag }: Current): AppError {
  const meant = /^\s*(?:W\/)?([\w.-]{1,40})\s*$/.exec(header)?.[1];
  const example = meant === undefined ? etag : `"${meant}"`;
  return invalidFields([
    {
      field: 'If-Match',
      issue: `is no entity tag: write it with its double quotes, such as ${example}, or several with commas between, or *`,
    },
  ]);
}

function failed(message: string, issue: string, { version, etag }: Current): AppError {
  return new AppError('precondition_failed', message, {
    field: 'If-Match',
    issue,
    currentVersion: version,
    currentETag: etag,
  });
}
