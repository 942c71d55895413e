import { RequestLogWriter } from '../../src/features/request-log/recording/request-log-writer.js';
import type { RequestDto } from '../../src/features/request-log/dto/request.dto.js';
import { UsageTotals } from '../../src/features/usage/totals/usage-totals.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import type { TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';

/** Returns the request id of a response. */
export function requestIdOf({ headers }: ApiResponse): string {
  return String(headers['x-request-id']);
}

/** Writes finished requests to the log. For the service, a request ends a moment after the client has the response. */
export async function write({ app }: Pick<TestApp, 'app'>): Promise<void> {
  await app.get(RequestLogWriter).write();
  await app.get(UsageTotals).write();
}

/** Returns the log entry of a response's request, once it is written. */
export async function logged(
  app: TestApp,
  api: ApiClient,
  response: ApiResponse,
): Promise<RequestDto> {
  const found = await eventually(
    async () => {
      await write(app);
      return api.send('GET', `/v1/requests/${requestIdOf(response)}`);
    },
    ({ status }) => status === 200,
  );
  return expectSuccess(found) as RequestDto;
}

/** Returns the ids of a list, in order. */
export function idsIn({ body }: ApiResponse): string[] {
  return (body.data as { id: string }[]).map(({ id }) => id);
}
