import { request } from 'undici';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function fetchText(path: string) {
  const { statusCode, headers, body } = await request(app.origin + path);
  return { status: statusCode, headers, text: await body.text() };
}

/** What the page loads: the values of its `src` and `href` attributes. */
function referencesOf(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, value = '']) => value);
}

describe('the reference page at /docs', () => {
  it('loads everything from the service itself, and all of it is there', async () => {
    const { text } = await fetchText('/docs');
    const references = referencesOf(text);
    expect(references).toEqual(
      expect.arrayContaining([
        '/docs/swagger-ui.css',
        '/docs/swagger-ui-bundle.js',
        '/docs/initializer.js',
      ]),
    );
    for (const reference of references) {
      expect(reference).toMatch(/^\/(docs|v1)\//);
      expect((await fetchText(reference)).status).toBe(200);
    }
  });

  it.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/', 'text/html; charset=utf-8'],
    ['/docs/initializer.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/favicon-32x32.png', 'image/png'],
  ])('answers %s as %s', async (path, type) => {
    const { status, headers } = await fetchText(path);
    expect([status, headers['content-type']]).toEqual([200, type]);
  });

  it('lets the browser load nothing from elsewhere and run nothing inline', async () => {
    const { headers, text } = await fetchText('/docs');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|style=/);
  });

  it('shows our document and asks no validator on the internet', async () => {
    const { text } = await fetchText('/docs/initializer.js');
    expect(text).toContain("url: '/v1/openapi.json'");
    expect(text).toContain('validatorUrl: null');
    expect(text).not.toMatch(/https?:\/\//);
  });

  it.each(['package.json', 'swagger-initializer.js', '..%2fpackage.json', 'LICENSE'])(
    'does not hand out %s of the package',
    async (file) => {
      const answer = await app.api().send('GET', `/docs/${file}`);
      expectFailure(answer, 404, 'NOT_FOUND');
    },
  );
});
