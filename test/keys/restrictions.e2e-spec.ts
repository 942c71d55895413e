import type { ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { KeysApi } from './keys-api.js';

let app: TestApp;
let keys: KeysApi;
beforeAll(async () => {
  app = await startTestApp({ environment: { TRUST_PROXY: '1' } });
  keys = new KeysApi((await app.account()).api);
});
afterAll(() => app.close());

const callFrom = (address: string, key: string): Promise<ApiResponse> =>
  app.api(key).send('GET', '/v1/documents', { headers: { 'x-forwarded-for': address } });

it('a key with an expiry works until then and no longer', async () => {
  const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString();
  const { key } = await keys.made({ expiresAt });
  app.clock.advance(59_999);
  expectSuccess(await app.api(key).listDocuments());
  app.clock.advance(1);
  expectFailure(await app.api(key).listDocuments(), 401, 'UNAUTHORIZED');
});

describe('a key with an allow-list', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7', '::ffff:192.0.2.7'], ['192.0.2.8', '2001:db8::1']],
    ['10.1.2.3/8', ['10.0.0.1', '10.255.255.255'], ['11.0.0.1', '9.255.255.255']],
    ['::ffff:10.0.0.0/104', ['10.9.8.7'], ['11.0.0.1']],
    ['2001:db8::/32', ['2001:db8::1', '2001:DB8:ffff::'], ['2001:db9::1', '32.1.13.184']],
    ['2001:db8::1', ['2001:db8:0:0:0:0:0:1'], ['2001:db8::2']],
    ['0.0.0.0/0', ['198.51.100.1'], ['2001:db8::1']],
  ])('a key with an allow-list for %s works only from there', async (range, inside, outside) => {
    const { key } = await keys.made({ allowedIps: [range] });
    for (const address of inside) expectSuccess(await callFrom(address, key));
    for (const address of outside) {
      expectFailure(await callFrom(address, key), 401, 'UNAUTHORIZED');
    }
  });

  it('a key with an allow-list works from each of its entries', async () => {
    const { key } = await keys.made({ allowedIps: ['192.0.2.0/28', '2001:db8::/32'] });
    expectSuccess(await callFrom('192.0.2.15', key));
    expectSuccess(await callFrom('2001:db8::9', key));
    expectFailure(await callFrom('192.0.2.16', key), 401, 'UNAUTHORIZED');
  });
});
