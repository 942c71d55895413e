import type { Request } from 'express';

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
