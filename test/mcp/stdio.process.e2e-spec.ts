import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expectRefusal, runCli } from '../cli/run-cli.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { bundledProgram } from '../support/compiled-program.js';
import { McpTestClient } from '../support/mcp-client.js';
import { LETTER, worksWithDocuments } from './tools-workflow.js';

const PATIENCE_MS = 240_000;

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' }, runTasks: true });
  const account = await app.account();
  ({ key } = account);
  await account.api.send('POST', '/v1/templates', { body: LETTER });
  // The first analysis loads the engine.
  const warm = await account.api.send('POST', '/v1/analyze', { body: { content: 'Warm.' } });
  expect(warm.status).toBeLessThan(300);
});
afterAll(() => app.close());

function transportTo(url: string, withKey: string): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [bundledProgram('cli'), 'mcp'],
    env: { DOCUMENT_SERVICE_URL: url, DOCUMENT_SERVICE_API_KEY: withKey },
    stderr: 'pipe',
  });
}

describe('the tools on standard input and output', () => {
  let mcp: McpTestClient;
  beforeAll(async () => {
    mcp = await McpTestClient.connect(transportTo(`${app.origin}/`, key));
  });
  afterAll(() => mcp.close());

  jest.setTimeout(PATIENCE_MS);
  worksWithDocuments(() => mcp);

  it('say what to do when the service is not running, and when the key is not active', async () => {
    const away = await McpTestClient.connect(transportTo('http://127.0.0.1:9', key));
    expect(await away.refusal('list_documents')).toMatch(/does not respond at http:.*npm start/);
    await away.close();
    const refused = await McpTestClient.connect(transportTo(app.origin, 'ds_live_wrong'));
    expect(await refused.refusal('list_documents')).toMatch(/DOCUMENT_SERVICE_API_KEY/);
    await refused.close();
  });

  it('write only messages, answer all requests before the end of the input, and exit', async () => {
    const child = spawn(process.execPath, [bundledProgram('cli'), 'mcp'], {
      env: { DOCUMENT_SERVICE_URL: app.origin, DOCUMENT_SERVICE_KEY: key },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const messages = [
      'no JSON',
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_usage' } },
    ];
    const lines = messages.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
    child.stdin.end(`${lines.join('\n')}\n`);
    const exited = new Promise((resolve) => child.once('close', resolve));
    const written = (await text(child.stdout)).trimEnd().split('\n');
    const answers = written.map((line) => JSON.parse(line) as { id: number; result: object });
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect(answers[1]?.result).toMatchObject({ structuredContent: { plan: 'enterprise' } });
    expect(await exited).toBe(0);
  });

  it('need a plausible key and URL, and say so in one sentence', async () => {
    const run = (environment: Record<string, string>) => runCli(environment, 'mcp');
    expectRefusal(await run({}), /Set DOCUMENT_SERVICE_API_KEY to an API key/);
    const wrong = { DOCUMENT_SERVICE_API_KEY: key, DOCUMENT_SERVICE_URL: 'localhost:3000' };
    expectRefusal(await run(wrong), /DOCUMENT_SERVICE_URL is not a valid URL/);
  });
});
