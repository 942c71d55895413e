import fc from 'fast-check';
import type { LoggedRequest } from './logged-request.js';
import { MAX_A_SECOND, RequestSecond } from './request-batch.js';

const AT = new Date('2026-03-01T12:34:56.789Z');

let made = 0;
function requestOf(accountId: string, status: number): LoggedRequest {
  made += 1;
  return {
    id: `req_${String(made)}`,
    accountId,
    keyId: 'key',
    userId: 'user',
    method: 'GET',
    route: '/v1/documents',
    url: '/v1/documents',
    status,
    durationMs: 1,
    clientAddress: null,
    userAgent: null,
    tokenLabel: null,
    error: null,
    at: AT,
  };
}

function second(...requests: LoggedRequest[]): RequestSecond {
  const one = new RequestSecond();
  for (const request of requests) one.add(request);
  return one;
}

const many = (count: number, accountId: string, status: number) =>
  Array.from({ length: count }, () => requestOf(accountId, status));

describe('A second of requests', () => {
  it('is logged in full below the limit, and writes nothing if it is empty', () => {
    const one = second(...many(150, 'a', 200), ...many(50, 'b', 500));
    expect(one.take()?.rows).toHaveLength(200);
    expect(one.take()).toBeUndefined();
  });

  it('is logged failures first above the limit', () => {
    const batch = second(
      ...many(400, 'a', 200),
      ...many(30, 'a', 404),
      ...many(5, 'a', 500),
    ).take();
    expect(batch?.rows).toHaveLength(200);
    expect(batch?.rows.filter(({ status }) => status >= 400)).toHaveLength(35);
  });

  it("logs every account in turn, so that one account cannot displace another's requests", () => {
    const batch = second(...many(480, 'flood', 429), ...many(20, 'quiet', 404)).take();
    expect(batch?.rows.filter(({ accountId }) => accountId === 'quiet')).toHaveLength(20);
  });

  it('logs at most 200 requests and counts each of the others by account and hour', () => {
    const request = fc.record({
      accountId: fc.constantFrom('a', 'b', 'c'),
      status: fc.constantFrom(200, 201, 304, 400, 429, 500),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 3_000, size: 'max' }), (sent) => {
        const batch = second(...sent.map((one) => requestOf(one.accountId, one.status))).take();
        const rows = batch?.rows ?? [];
        expect(rows.length).toBe(Math.min(sent.length, MAX_A_SECOND));
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
        for (const account of ['a', 'b', 'c']) {
          const missing = (batch?.unlogged.entries() ?? []).filter(
            (one) => one.accountId === account,
          );
          const all = sent.filter(({ accountId }) => accountId === account).length;
          const written = rows.filter(({ accountId }) => accountId === account).length;
          expect(missing.reduce((sum, { count }) => sum + count, 0)).toBe(all - written);
          for (const { hour, reason } of missing) {
            expect({ hour, reason }).toEqual({
              hour: new Date('2026-03-01T12:00Z'),
              reason: 'busy',
            });
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});
