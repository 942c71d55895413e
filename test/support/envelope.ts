import type { ApiResponse } from './api-client.js';

const REQUEST_ID = /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Checks the failure envelope of the specification, and that it reveals no internals. */
export function expectFailure(response: ApiResponse, status: number, code: string): void {
  expect(response.status).toBe(status);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(response.body).toEqual({
    success: false,
    error: expect.objectContaining({ code, message: expect.any(String) as string }) as object,
    meta: {
      requestId: expect.stringMatching(REQUEST_ID) as string,
      timestamp: expect.stringMatching(TIMESTAMP) as string,
    },
  });
  expect(response.headers['x-request-id']).toBe(
    (response.body as { meta: { requestId: string } }).meta.requestId,
  );
  expect(response.text).not.toMatch(
    /node_modules|\n\s+at |\.[jt]s:\d+|typeorm|nestjs|QueryFailed/i,
  );
  expect(response.text).not.toMatch(/\b(SELECT|INSERT|UPDATE|DELETE FROM)\b/);
}

/** Checks the success envelope and returns its `data`. */
export function expectSuccess(response: ApiResponse, status = 200): unknown {
  expect(response.status).toBe(status);
  const body = response.body as {
    success: boolean;
    data: unknown;
    meta: { requestId: string; timestamp: string };
  };
  expect(body.success).toBe(true);
  expect(body.meta.requestId).toMatch(REQUEST_ID);
  expect(body.meta.timestamp).toMatch(TIMESTAMP);
  expect(response.headers['x-request-id']).toBe(body.meta.requestId);
  return body.data;
}
