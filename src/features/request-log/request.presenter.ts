import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { RequestDto, RequestErrorDto } from './dto/request.dto.js';
import type { StoredRequest } from './requests.repository.js';

export function presentRequest(request: StoredRequest): RequestDto {
  return {
    id: encodeId('request', request.id),
    keyId: encodeId('key', request.keyId),
    userId: encodeId('user', request.userId),
    method: request.method,
    route: request.route,
    path: request.path,
    status: request.status,
    durationMs: request.durationMs,
    clientAddress: request.clientAddress,
    userAgent: request.userAgent,
    error: request.error === null ? null : (JSON.parse(request.error) as RequestErrorDto),
    createdAt: request.createdAt.toISOString(),
  };
}
