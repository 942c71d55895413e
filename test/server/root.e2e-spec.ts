import { SERVICE_VERSION } from '../../src/platform/config/project.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const open = (path: string, accept?: string, method = 'GET') =>
  app.api().send(method, path, { headers: accept === undefined ? {} : { accept } });

describe('the root', () => {
  it.each([
    BROWSER,
    'text/html',
    'text/html, application/json',
    'application/json;q=0.8, text/html;q=0.9',
    'text/*',
  ])('the root leads clients that prefer HTML to the dashboard: %s', async (accept) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await open('/', accept, method);
      expect(status).toBe(302);
      expect(headers).toMatchObject({ location: '/dashboard/', vary: 'Accept' });
    }
  });

  it.each([
    undefined,
    '*/*',
    'application/json',
    'application/json, text/html',
    'text/html;q=0.8, application/json',
    'text/html;q=0',
    'application/json, text/plain, */*',
    'image/png',
  ])('the root lists the entry points for all others: %s', async (accept) => {
    const response = await open('/', accept);
    expectSuccess(response, 200);
    expect(response.headers).toMatchObject({ vary: 'Accept' });
    expect(response.body.data).toMatchObject({
      service: 'Document Service',
      version: SERVICE_VERSION,
    });
    const head = await open('/', accept, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('the root lists only paths that exist, without a key', async () => {
    const { body } = await open('/');
    const links = Object.values(body.data.links as Record<string, string>);
    expect(links).toHaveLength(5);
    for (const link of links.filter((path) => path !== '/docs' && path !== '/dashboard/'))
      expect([link, (await open(link)).status]).toEqual([link, 200]);
  });

  it('the root of the API leads people to the documentation, and programs to the entry points', async () => {
    const { status, headers } = await open('/v1', BROWSER);
    expect([status, headers['location']]).toEqual([302, '/docs']);
    expect((await open('/v1')).body.data).toEqual((await open('/')).body.data);
  });

  it('the root is only read', async () => {
    for (const accept of [BROWSER, 'application/json']) {
      const response = await open('/', accept, 'POST');
      expectFailure(response, 405, 'INVALID_REQUEST');
      expect(response.headers['allow']).toBe('GET, HEAD');
    }
  });

  it('the root does not exist in a worker, which serves neither pages nor the API', async () => {
    const worker = await startTestApp({ environment: { PROCESS_ROLE: 'worker' } });
    try {
      expectFailure(await worker.api().send('GET', '/'), 404, 'NOT_FOUND');
    } finally {
      await worker.close();
    }
  });
});
