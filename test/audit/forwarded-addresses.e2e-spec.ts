import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { entriesOf } from './audit-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { TRUST_PROXY: '1' } });
});
afterAll(() => app.close());

/** Invalid addresses, even though a trusted proxy sent them. */
const WRONG = ['unknown', '<script>alert(1)</script>', '192.0.2.7:8080', '1.2.3', '::1::', 'a, b'];

describe('behind a trusted proxy', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['198.51.100.1, 192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['unknown, 192.0.2.7', '192.0.2.7'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('the address in X-Forwarded-For: %s is stored as %s', async (header, address) => {
    const { api } = await app.account();
    await api.createDocument({ title: 'x' }, { 'x-forwarded-for': header });
    expect(await entriesOf(api)).toMatchObject([{ clientAddress: address }]);
  });

  it.each(WRONG)('an invalid address in X-Forwarded-For is not stored: %s', async (header) => {
    const { api } = await app.account();
    expectSuccess(await api.createDocument({ title: 'x' }, { 'x-forwarded-for': header }), 201);
    expect(await entriesOf(api)).toMatchObject([{ clientAddress: null }]);
  });

  it.each(WRONG)("an invalid address does not satisfy a key's allow-list: %s", async (header) => {
    const { key } = await app.account({ allowedIps: ['0.0.0.0/0', '::/0'] });
    const options = { headers: { 'x-forwarded-for': header } };
    expectFailure(await app.api(key).send('GET', '/v1/documents', options), 401, 'UNAUTHORIZED');
  });
});
