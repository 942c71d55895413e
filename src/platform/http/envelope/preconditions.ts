import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../basics/errors/app-error.js';
import { isTagOf, readEntityTags } from './entity-tags.js';

/** What the client says of the resource it changes: `*`, or a list of entity tags; what is missing asks for nothing. */
export interface Preconditions {
  /** What it must still be. */
  ifMatch?: string | undefined;
  /** What it must not be: `*` for a PUT that is to replace nothing. */
  ifNoneMatch?: string | undefined;
}

/** The preconditions in the headers of the request. */
export const SentPreconditions = createParamDecorator(
  (_: unknown, context: ExecutionContext): Preconditions => {
    const { headers } = context.switchToHttp().getRequest<Request>();
    return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
  },
);

type HeaderName = 'If-Match' | 'If-None-Match';

/** What there is, as far as preconditions go. */
interface Current {
  version: number;
  etag: string;
}

/** Refuses a change with `precondition_failed`, which tells the current version and its tag (RFC 9110, 13.2.2). */
export function requirePreconditions(
  { ifMatch, ifNoneMatch }: Preconditions,
  current: Current,
): void {
  if (ifMatch !== undefined) requireMatch(ifMatch, current);
  if (ifNoneMatch !== undefined) requireNoMatch(ifNoneMatch, current);
}

/** Tags compare strongly (13.1.1). What is no list of tags names no version. */
function requireMatch(header: string, current: Current): void {
  const tags = readEntityTags(header);
  if (!tags) throw noEntityTag('If-Match', header, current);
  if (tags === '*' || tags.some(({ weak, opaque }) => !weak && isTagOf(opaque, current.etag)))
    return;
  if (tags.every(({ weak }) => weak)) throw weaklyTagged(current);
  throw preconditionFailed(current);
}

/** Tags compare weakly (13.1.2). What is no list of tags excludes no version, and is refused all the same: it meant to. */
function requireNoMatch(header: string, current: Current): void {
  const tags = readEntityTags(header);
  if (!tags) throw noEntityTag('If-None-Match', header, current);
  if (tags !== '*' && tags.every(({ opaque }) => !isTagOf(opaque, current.etag))) return;
  throw failed(
    'If-None-Match',
    'If-None-Match says that what is there already shall stay as it is. Leave it out to change it, or send the ETag as If-Match.',
    tags === '*' ? 'excludes whatever is there' : 'names the current version',
    current,
  );
}

/** The answer to a change of what has changed meanwhile. */
export function preconditionFailed(current: Current): AppError {
  return failed(
    'If-Match',
    'This is not the version you have seen. Read the current one, make your change to it, and send its ETag.',
    'names another version',
    current,
  );
}

/** The answer to If-Match where there is nothing that could match. */
export function preconditionFailedOnAbsent(): AppError {
  return new AppError(
    'precondition_failed',
    'If-Match names a version of something that does not exist. Leave it out to create it.',
    { field: 'If-Match', issue: 'names a version of what does not exist' },
  );
}

/** The answer to weak tags, which say only that two things mean the same. */
function weaklyTagged(current: Current): AppError {
  return failed(
    'If-Match',
    `If-Match compares strongly, and a weak entity tag never matches. Send the ETag without W/, such as ${current.etag}.`,
    'is a weak entity tag, which never matches',
    current,
  );
}

/** The answer to a header that is no list of entity tags. */
function noEntityTag(name: HeaderName, header: string, current: Current): AppError {
  const meant = /^\s*(?:W\/)?([\w.-]{1,40})\s*$/.exec(header)?.[1];
  const example = meant === undefined ? current.etag : `"${meant}"`;
  return failed(
    name,
    `${name} is no entity tag: write it with its double quotes, such as ${example}, or several with commas between, or *.`,
    'is no entity tag',
    current,
  );
}

function failed(
  field: HeaderName,
  message: string,
  issue: string,
  { version, etag }: Current,
): AppError {
  return new AppError('precondition_failed', message, {
    field,
    issue,
    currentVersion: version,
    currentETag: etag,
  });
}
