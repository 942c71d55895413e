import type { AuditEntryDto } from '../../src/features/audit/dto/audit.dto.js';
import type { ApiClient } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';

type Query = Parameters<ApiClient['list']>[1];

/** Returns audit log entries that match the filters, newest first by default. */
export async function entriesOf(api: ApiClient, query: Query = {}): Promise<AuditEntryDto[]> {
  return expectSuccess(await api.list('/v1/audit', query)) as AuditEntryDto[];
}

export async function totalOf(api: ApiClient, query: Query = {}): Promise<number> {
  const { body } = await api.list('/v1/audit', query);
  return (body as { meta: { pagination: { total: number } } }).meta.pagination.total;
}
