import type { Principal } from '../auth/principal.js';
import { grants } from '../auth/scopes.js';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { RequestDto, RequestErrorDto } from './dto/request.dto.js';
import { NO_KEY } from './entities/request.entity.js';
import type { StoredRequest } from './requests.repository.js';

/**
 * Addresses and browsers of other people are shown only with the scope `audit:read`, as in the audit log. Those of keys are
 * shown to everybody who may read the log.
 */
export function presentRequest(request: StoredRequest, reader: Principal): RequestDto {
  const isDashboard = request.keyId === NO_KEY;
  const isHidden =
    isDashboard && request.userId !== reader.user.id && !grants(reader.scopes, 'audit:read');
  return {
    id: encodeId('request', request.id),
    source: isDashboard ? 'dashboard' : 'api',
    keyId: isDashboard ? null : encodeId('key', request.keyId),
    userId: encodeId('user', request.userId),
    method: request.method,
    route: request.route,
    path: request.path,
    status: request.status,
    durationMs: request.durationMs,
    clientAddress: isHidden ? null : request.clientAddress,
    userAgent: isHidden ? null : request.userAgent,
    tokenLabel: request.tokenLabel,
    error: request.error === null ? null : (JSON.parse(request.error) as RequestErrorDto),
    createdAt: request.createdAt.toISOString(),
  };
}
