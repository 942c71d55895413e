import type { Request } from 'express';
import { readEntityTags } from './entity-tags.js';

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
