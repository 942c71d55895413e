import fc from 'fast-check';
import { AppError, invalidFields } from '../../../platform/basics/errors/app-error.js';
import { loggedFailure, loggedPath, MAX_PATH } from './logged-request.js';

const KEY = 'ds_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZab';

describe('The logged path of a request', () => {
  it('contains the path and query as sent', () => {
    const url = '/v1/documents?q=%22annual+report%22&keyId=key_01&cursor=WyJj&metadata.region=eu';
    expect(loggedPath(url)).toBe(url);
    expect(loggedPath('/v1/documents?')).toBe('/v1/documents');
    expect(loggedPath('/v1/documents?a=b?c=d')).toBe('/v1/documents?a=b?c=d');
  });

  it.each([
    'api_key',
    'apikey',
    'API-Key',
    'api%5Fkey',
    'api_key%5B%5D',
    'access_token',
    'client_secret',
    'password',
    'X-Amz-Signature',
    'authorization',
    'text',
    'data',
  ])('redacts the value of the parameter %s', (name) => {
    expect(loggedPath(`/v1/documents?a=1&${name}=hidden&b=2`)).toBe(
      `/v1/documents?a=1&${name}=REDACTED&b=2`,
    );
  });

  it('never contains an API key, in any position and encoding', () => {
    const word = fc.stringMatching(/^[a-z0-9%]{0,12}$/);
    fc.assert(
      fc.property(
        fc.array(word),
        word,
        fc.constantFrom(
          KEY,
          KEY.replaceAll('_', '%5F'),
          KEY.replace('ds', '%64%73'),
          KEY.replace('live', '%256cive'),
        ),
        (before, name, key) => {
          for (const url of [
            `/v1/${before.join('/')}/${key}`,
            `/v1?${before.join('&')}&${name}=${key}`,
          ]) {
            expect(loggedPath(url)).not.toContain(KEY.slice(8));
          }
        },
      ),
    );
  });

  it('is well-formed text of at most 2,000 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (text) => {
        const kept = loggedPath(`/v1/${text}`);
        expect(kept.length).toBeLessThanOrEqual(MAX_PATH);
        expect(kept.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('The logged failure of a request', () => {
  it('is the error of the response', () => {
    const error = invalidFields([{ field: 'title', issue: 'required field missing' }]);
    expect(JSON.parse(loggedFailure(error) ?? '')).toEqual({
      code: 'INVALID_REQUEST',
      message: 'title: required field missing',
      details: {
        field: 'title',
        issue: 'required field missing',
        problems: [{ field: 'title', issue: 'required field missing' }],
      },
    });
    expect(loggedFailure(undefined)).toBeNull();
  });

  it('contains the first problems of many, and omits details that are too long', () => {
    const problem = (index: number) => ({ field: `f${String(index)}`, issue: 'x'.repeat(100) });
    const many = invalidFields([
      problem(0),
      ...Array.from({ length: 99 }, (_, i) => problem(i + 1)),
    ]);
    const kept = JSON.parse(loggedFailure(many) ?? '') as { details: { problems: unknown[] } };
    expect(kept.details.problems).toHaveLength(10);
    const long = new AppError('conflict', 'm'.repeat(9_000), { text: 'd'.repeat(9_000) });
    expect(JSON.parse(loggedFailure(long) ?? '')).toEqual({
      code: 'INVALID_REQUEST',
      message: 'm'.repeat(1_000),
    });
  });
});
