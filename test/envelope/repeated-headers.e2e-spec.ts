import { startTestApp, type TestApp } from '../support/app.js';
import { sendRaw, type RawAnswer } from '../support/raw-http.js';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  key = (await app.account()).key;
});
afterAll(() => app.close());

const send = (path: string, ...headers: string[]): Promise<RawAnswer> =>
  sendRaw(
    app.port,
    `GET ${path} HTTP/1.1\r\n${headers.map((header) => `${header}\r\n`).join('')}Connection: close\r\n\r\n`,
  );

function expectRefused({ status, body }: RawAnswer, field: string): void {
  expect(status).toBe(400);
  expect(JSON.parse(body)).toMatchObject({
    success: false,
    error: {
      code: 'INVALID_REQUEST',
      details: { field, issue: 'was sent more than once; send this header once' },
    },
    meta: { requestId: expect.stringMatching(/^req_/) as string },
  });
}

describe.each(['/v1/documents', '/v1/openapi.json', '/health/live', '/nowhere'])(
  'a request for %s',
  (path) => {
    it.each([['x', 'x'], ['x', 'y'], ['', 'x'], Array<string>(3).fill('x')])(
      'with the Hosts %j, %j is refused',
      async (...hosts) => {
        const headers = hosts.map((host, index) => `${index === 1 ? 'hOST' : 'Host'}: ${host}`);
        expectRefused(await send(path, ...headers), 'Host');
      },
    );

    it('with two Authorizations is refused, whichever of them is the good one', async () => {
      const good = `Authorization: Bearer ${key}`;
      for (const other of [good, 'AUTHORIZATION: Bearer x', 'authorization:']) {
        expectRefused(await send(path, 'Host: x', good, other), 'Authorization');
        expectRefused(await send(path, 'Host: x', other, good), 'Authorization');
      }
    });
  },
);

it('A request with one Host and one Authorization is answered, whatever else comes twice', async () => {
  const other = ['X-Host: a', 'X-Host: b', 'Accept: */*', 'Accept: text/html'];
  const answer = await send('/v1/documents', 'Host: x', `Authorization: Bearer ${key}`, ...other);
  expect(answer.status).toBe(200);
});
