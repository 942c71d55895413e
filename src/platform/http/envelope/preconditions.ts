import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../basics/errors/app-error.js';

/** The preconditions of a change: `*`, or a list of entity tags. A missing header sets no condition. */
export interface Preconditions {
  /** The change applies only if the resource has one of these tags. */
  ifMatch?: string | undefined;
  /**
   * The change applies only if the resource has none of these tags. `*` in a PUT prevents replacing an existing resource.
   */
  ifNoneMatch?: string | undefined;
}

/** Injects the preconditions in the request headers. */
export const SentPreconditions = createParamDecorator(
  (_: unknown, context: ExecutionContext): Preconditions => {
    const { headers } = context.switchToHttp().getRequest<Request>();
    return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
  },
);

type HeaderName = 'If-Match' | 'If-None-Match';

/** The current state of the resource. */
interface Current {
  version: number;
  etag: string;
}

/** Throws `precondition_failed` with the current version and tag if a condition fails (RFC 9110, section 13.2.2). */
export function requirePreconditions(
  { ifMatch, ifNoneMatch }: Preconditions,
  current: Current,
): void {
  if (ifMatch !== undefined) requireMatch(ifMatch, current);
  if (ifNoneMatch !== undefined) requireNoMatch(ifNoneMatch, current);
}

/** Tags compare strongly (13.1.1). An invalid list is refused. */
function requireMatch(header: string, current: Current): void {
  const tags = readEntityTags(header);
  if (!tags) throw noEntityTag('If-Match', header, current);
  if (tags === '*' || tags.some(({ weak, opaque }) => !weak && isTagOf(opaque, current.etag)))
    return;
  if (tags.every(({ weak }) => weak)) throw weaklyTagged(current);
  throw preconditionFailed(current);
}

/** Tags compare weakly (13.1.2). An invalid list is refused, although it excludes no version. */
function requireNoMatch(header: string, current: Current): void {
  const tags = readEntityTags(header);
  if (!tags) throw noEntityTag('If-None-Match', header, current);
  if (tags !== '*' && tags.every(({ opaque }) => !isTagOf(opaque, current.etag))) return;
  throw failed(
    'If-None-Match',
    'If-None-Match protects the existing resource from this change. Leave it out to change the resource, or send the ETag as If-Match.',
    tags === '*' ? 'excludes every version' : 'names the current version',
    current,
  );
}

export function preconditionFailed(current: Current): AppError {
  return failed(
    'If-Match',
    'The resource has changed since you read it. Read the current version, apply your change to it, and send its ETag.',
    'names another version',
    current,
  );
}

/** Returns the error for If-Match on a resource that does not exist. */
export function preconditionFailedOnAbsent(): AppError {
  return new AppError(
    'precondition_failed',
    'If-Match names a version of something that does not exist. Leave it out to create it.',
    { field: 'If-Match', issue: 'names a version of something that does not exist' },
  );
}

/** Returns the error for weak tags in If-Match. */
function weaklyTagged(current: Current): AppError {
  return failed(
    'If-Match',
    `If-Match compares strongly, and a weak entity tag never matches. Send the ETag without W/, such as ${current.etag}.`,
    'is a weak entity tag, which never matches',
    current,
  );
}

function noEntityTag(name: HeaderName, header: string, current: Current): AppError {
  const meant = /^\s*(?:W\/)?([\w.-]{1,40})\s*$/.exec(header)?.[1];
  const example = meant === undefined ? current.etag : `"${meant}"`;
  return failed(
    name,
    `${name} is not an entity tag. Write it in double quotes, such as ${example}; separate several with commas; or send *.`,
    'is not an entity tag',
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

/** An entity tag (RFC 9110, section 8.8.3). */
interface EntityTag {
  weak: boolean;
  /** With quotes, as in the header `ETag`. */
  opaque: string;
}

const TAG = /(W\/)?("[\x21\x23-\x7e\x80-\u00ff]*")/y;
const SEPARATOR = /[ \t]*(?:,[ \t]*)+/y;

/**
 * Parses `If-Match` or `If-None-Match` in linear time. Returns `*` for any, or `undefined` if the header is invalid.
 * Commas in quotes belong to the tag.
 */
export function readEntityTags(header: string): '*' | EntityTag[] | undefined {
  const text = header.trim();
  if (text === '*') return '*';
  const tags: EntityTag[] = [];
  // Lists can have empty elements, even at the start and end (RFC 9110, section 5.6.1).
  let place = endOfMatch(SEPARATOR, text, 0) ?? 0;
  while (place < text.length) {
    TAG.lastIndex = place;
    const found = TAG.exec(text);
    if (!found) return undefined;
    tags.push({ weak: found[1] !== undefined, opaque: found[2] ?? '' });
    place = TAG.lastIndex;
    if (place === text.length) break;
    const next = endOfMatch(SEPARATOR, text, place);
    if (next === undefined) return undefined;
    place = next;
  }
  return tags.length === 0 ? undefined : tags;
}

function endOfMatch(pattern: RegExp, text: string, place: number): number | undefined {
  pattern.lastIndex = place;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/**
 * Returns true if the client already has this representation, which means 304 (RFC 9110, section 13.1.2). Ignores
 * `Cache-Control`, which is meant for caches on the way: fetch sends `no-cache` with every If-None-Match.
 */
export function isUnchanged({ method, headers }: Request, etag: string): boolean {
  const header = headers['if-none-match'];
  if (header === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  const tags = readEntityTags(header);
  // Compare weakly: W/"3" equals "3". An invalid header matches nothing.
  const opaque = etag.replace(/^W\//, '');
  return tags === '*' || (tags?.some((tag) => tag.opaque === opaque) ?? false);
}

/**
 * Returns the entity tag of a response with selected fields. It differs from the tag of the whole response, because a
 * strong tag identifies exact bytes, but preconditions treat the two as equal (see {@link isTagOf}).
 */
export function partialTag(etag: string, fields: readonly string[]): string {
  return `${etag.slice(0, -1)};${fields.join('.')}"`;
}

/** Returns true for the tag of a version, and for the tag of a response with some of its fields. */
function isTagOf(opaque: string, etag: string): boolean {
  return opaque === etag || opaque.startsWith(`${etag.slice(0, -1)};`);
}
