import { queryOptions } from '@tanstack/react-query';
import { dataOf, type V1Client } from '../../api/client.js';
import type { Scope } from '../../api/session.js';
import type { SearchState } from '../../search-state.js';

/** An app's request for access, after the service has checked it. */
export interface Authorization {
  client: {
    name: string;
    /** Host of the document that describes the app. Null if nobody vouches for the app's name. */
    host: string | null;
  };
  redirectUri: string;
  /** Scopes that the app asks for. */
  scopes: Scope[];
  /** Further scopes that the person can add. */
  addable: Scope[];
}

/** Where an app's answer goes, in words for a person. */
export interface Destination {
  text: string;
  /** True for a program on a computer that listens there. Any program can. */
  isLoopback: boolean;
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Returns where the browser goes afterwards: a website, a program on this computer, or an app. */
export function destinationOf(redirectUri: string): Destination {
  const { protocol, hostname, host } = new URL(redirectUri);
  if (protocol !== 'https:' && protocol !== 'http:') {
    return { text: `The app that opens ${protocol}// links`, isLoopback: false };
  }
  const isLoopback = LOOPBACK.has(hostname);
  return { text: isLoopback ? `A program on this computer (${host})` : host, isLoopback };
}

export function authorizationQuery(accountId: string, api: V1Client, request: SearchState) {
  return queryOptions({
    queryKey: [accountId, 'authorization', request],
    queryFn: () => dataOf(api.POST('/v1/oauth/authorizations/check', { body: bodyFor(request) })),
    // The person decides about what the page shows.
    staleTime: 'static',
    gcTime: 0,
  });
}
