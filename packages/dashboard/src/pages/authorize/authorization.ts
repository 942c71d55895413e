import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { dataOf, type V1Client } from '../../api/client.js';
import type { components } from '../../api/v1-schema.js';

/** An app's request for access, after the service has checked it. */
export type Authorization = components['schemas']['AuthorizationRequest'];

/** Checks an app's request for access to an account. `request`: the query of the consent page, as the app sent it. */
export function authorizationQuery(accountId: string, api: V1Client, request: string) {
  return queryOptions({
    queryKey: [accountId, 'authorization', request],
    queryFn: () => dataOf(api.POST('/v1/oauth/authorizations/check', { body: { query: request } })),
    placeholderData: keepPreviousData,
    // The person decides about what the page shows.
    staleTime: 'static',
    gcTime: 0,
  });
}

/** Describes where the browser goes after the decision. */
export function destinationOf({ host, isLoopback, scheme }: Authorization['redirect']): string {
  if (scheme !== null) return `The app that opens ${scheme}:// links`;
  return isLoopback ? `A program on this computer (${host ?? ''})` : (host ?? '');
}
