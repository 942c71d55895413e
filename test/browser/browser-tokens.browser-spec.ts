import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { describeInBrowser, startBrowser, type BrowserUnderTest } from './support/dashboard.js';

const GUIDE = 'docs/guides/show-documents-in-a-web-page.md';

describeInBrowser('the page of the guide about browser tokens', () => {
  let app: TestApp;
  let site: Server;
  let browser: BrowserUnderTest;
  let token = '';

  beforeAll(async () => {
    app = await startTestApp();
    const [, html = ''] = /```html\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8')) ?? [];
    const page = html.replace('https://documents.example.com', app.origin);
    site = createServer(({ url }, response) => {
      response.setHeader('content-type', url === '/token' ? 'text/plain' : 'text/html');
      response.end(url === '/token' ? token : page);
    }).listen(0, '127.0.0.1');
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.browser.close();
    site.close();
    await app.close();
  });

  it('shows the documents of the visitor from another origin, and says when the token has ended', async () => {
    const { api } = await app.account();
    for (const [title, tag] of [
      ['Offer 17', 'customer-42'],
      ['Offer 18', 'customer-43'],
    ]) {
      expectSuccess(await api.createDocument({ title, metadata: { tags: [tag] } }), 201);
    }
    const body = { scopes: ['documents:read'], documents: { tags: ['customer-42'] } };
    const made = await api.send('POST', '/v1/tokens', { body });
    ({ token } = expectSuccess(made, 201) as { token: string });
    const page = await browser.browser.newPage();
    const address = `http://localhost:${String((site.address() as AddressInfo).port)}/`;
    await page.goto(address);
    const lines = page.getByRole('listitem');
    await lines.first().waitFor();
    expect(await lines.allTextContents()).toEqual(['Offer 17']);
    token = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    await page.goto(address);
    await page.getByText('This is not a token of this service.').waitFor();
  });
});
