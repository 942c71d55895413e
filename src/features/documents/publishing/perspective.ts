import { grants } from '../../auth/scopes.js';
import type { Principal } from '../../auth/principal.js';
import type { CachePolicy } from './publications.repository.js';

/** True if a request gets published versions: it asks for them, or the caller may read nothing else. */
export function readsPublished({ scopes }: Principal, isWanted: boolean): boolean {
  return isWanted || !grants(scopes, 'documents:read');
}

/** Returns the `Cache-Control` of a response with published versions. */
export function cacheControlOf({ cacheSeconds, sharedCache }: CachePolicy): string {
  const seconds = String(cacheSeconds);
  return sharedCache
    ? `public, max-age=${seconds}, stale-while-revalidate=${seconds}`
    : `private, max-age=${seconds}`;
}
