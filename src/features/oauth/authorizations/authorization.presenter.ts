import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { APP_SCOPES } from '../../auth/connected-app.js';
import type { PersonPrincipal } from '../../auth/principal.js';
import { grants, isLimitable } from '../../auth/scopes.js';
import { redirectTarget } from '../clients/redirect-uris.js';
import { DAYS, type AuthorizationRequestDto } from './authorization.dto.js';
import { redirectWith } from './authorization-request.js';
import type { CheckedAuthorization } from './authorizations.service.js';

/** Returns what the consent page shows. */
export function presentAuthorization(
  { request, client, account, hasCollections }: CheckedAuthorization,
  issuer: string,
  { scopes: held }: PersonPrincipal,
): AuthorizationRequestDto {
  return {
    client: { id: client.id, name: client.name, host: client.host },
    redirect: redirectTarget(request.redirectUri),
    scopes: APP_SCOPES.map((scope) => ({
      scope,
      asked: request.scopes.includes(scope),
      allowed: grants(held, scope),
      limitable: isLimitable(scope),
    })),
    account: { id: encodeId('account', account.id), name: account.name },
    hasCollections,
    days: DAYS,
    refusalUri: redirectWith({ error: 'access_denied' }, request, issuer),
  };
}
