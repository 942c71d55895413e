import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../basics/errors/app-error.js';

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

/** An entity tag (RFC 9110, 8.8.3): what stands between its quotes means nothing to anybody but its maker. */
interface EntityTag {
  weak: boolean;
  /** With its quotes, as in the header `ETag`. */
  opaque: string;
}

const TAG = /(W\/)?("[\x21\x23-\x7e\x80-\u00ff]*")/y;
const SEPARATOR = /[ \t]*(?:,[ \t]*)+/y;

/**
 * The entity tags of `If-Match` or `If-None-Match`; `*` for any. `undefined` when the header is neither. Commas inside
 * quotes belong to the tag. Linear.
 */
export function readEntityTags(header: string): '*' | EntityTag[] | undefined {
  const text = header.trim();
  if (text === '*') return '*';
  const tags: EntityTag[] = [];
  // Lists may have empty elements, also first and last (RFC 9110, 5.6.1).
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
 * Whether the client has what is tagged so already: the answer is 304 then (RFC 9110, 13.1.2). `Cache-Control` of the
 * request is for caches on the way and says nothing here: fetch sends `no-cache` along with every If-None-Match.
 */
export function isUnchanged({ method, headers }: Request, etag: string): boolean {
  const header = headers['if-none-match'];
  if (header === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  const tags = readEntityTags(header);
  // Compares weakly: W/"3" and "3" are the same. What is no tag matches nothing.
  const opaque = etag.replace(/^W\//, '');
  return tags === '*' || (tags?.some((tag) => tag.opaque === opaque) ?? false);
}

/**
 * The entity tag of an answer with some fields only: another one than that of the whole answer, because a strong tag
 * stands for its bytes. As a precondition it is as good as that one (see {@link isTagOf}).
 */
export function partialTag(etag: string, fields: readonly string[]): string {
  return `${etag.slice(0, -1)};${fields.join('.')}"`;
}

/** Whether a tag is that of a version, or of an answer with some of its fields. */
export function isTagOf(opaque: string, etag: string): boolean {
  return opaque === etag || opaque.startsWith(`${etag.slice(0, -1)};`);
}
