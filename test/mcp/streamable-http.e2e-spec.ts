import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { AccountOptions } from '../support/accounts.js';
import { McpTestClient } from '../support/mcp-client.js';
import { worksWithDocuments } from './tools-workflow.js';

const LETTER = {
  name: 'Letter to somebody',
  title: 'Letter',
  content: 'Dear {{name}}, from {{place}}',
  variables: [{ name: 'name', required: true }, { name: 'place' }],
};

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
});
afterAll(() => app.close());

async function connectWith(key: string): Promise<McpTestClient> {
  const headers = { authorization: `Bearer ${key}` };
  const url = new URL(`${app.origin}/mcp`);
  return McpTestClient.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
  );
}

async function clientOf(options: AccountOptions = {}): Promise<McpTestClient> {
  return connectWith((await app.account(options)).key);
}

describe('the tools over Streamable HTTP', () => {
  let mcp: McpTestClient;
  beforeAll(async () => {
    const { api, key } = await app.account();
    await api.send('POST', '/v1/templates', { body: LETTER });
    mcp = await connectWith(key);
  });
  afterAll(() => mcp.close());

  worksWithDocuments(() => mcp);
});

describe('x', () => {
  it('y', async () => {
    const c = await clientOf();
    await c.close();
  });
});
