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
    env: { DOCUMENT_SERVICE_URL: url, DOCUMENT_SERVICE_KEY: withKey },
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

  it.each([
    [
      'the service is not running',
      () => ['http://127.0.0.1:9', key],
      /does not respond at http:.*npm start/,
    ],
    [
      'the URL is not that of the service',
      () => [`${app.origin}/docs`, key],
      /DOCUMENT_SERVICE_URL is not the Document Service/,
    ],
    ['the URL is none', () => ['localhost:3000', key], /DOCUMENT_SERVICE_URL is not a valid URL/],
    [
      'the key is wrong',
      () => [app.origin, 'ds_live_wrong'],
      /refuses the API key.*DOCUMENT_SERVICE_KEY/,
    ],
    [
      'the key cannot be one',
      () => [app.origin, 'two words'],
      /DOCUMENT_SERVICE_KEY is not an API key/,
    ],
    ['the key is missing', () => [app.origin, ''], /Set DOCUMENT_SERVICE_KEY to an API key/],
  ])(
    'the tools on standard input and output fail at initialize with a sentence when %s',
    async (_, access, reason) => {
      const [url = '', withKey = ''] = access();
      const transport = transportTo(url, withKey);
      let stderr = '';
      transport.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
      const ended = new Promise<void>((resolve) => {
        transport.stderr?.once('end', () => {
          resolve();
        });
      });
      const refused = await McpTestClient.connect(transport).then(
        () => undefined,
        (error: unknown) => error as Error & { code: number },
      );
      expect(refused?.message).toMatch(reason);
      expect(refused?.code).toBe(-32010);
      await ended;
      expect(stderr).toMatch(reason);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    },
  );

  it('the tools on standard input and output exit with 1 after a refused initialize, and with an expired key', async () => {
    const { key: expiring, accountId } = await app.account();
    await app.dataSource.query(
      `UPDATE api_keys SET expires_at = '2020-01-01' WHERE account_id = $1`,
      [accountId],
    );
    const child = spawn(process.execPath, [bundledProgram('cli'), 'mcp'], {
      env: { DOCUMENT_SERVICE_URL: app.origin, DOCUMENT_SERVICE_API_KEY: expiring },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const exited = new Promise((resolve) => child.once('close', resolve));
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params })}\n`,
    );
    const [written, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(JSON.parse(written)).toMatchObject({
      id: 7,
      error: { code: -32010, message: expect.stringContaining('refuses the API key') as string },
    });
    expect(said).toMatch(/^The Document Service refuses the API key/);
    expect(await exited).toBe(1);
  });

  it('the tools on standard input and output write only messages, answer all requests before the end of the input, and exit', async () => {
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
    const responses = written.map((line) => JSON.parse(line) as { id: number; result: object });
    expect(responses.map(({ id }) => id)).toEqual([1, 2]);
    expect(responses[1]?.result).toMatchObject({ structuredContent: { plan: 'enterprise' } });
    expect(await exited).toBe(0);
  });

  it('the tools on standard input and output need a plausible key and URL, and say so in one sentence', async () => {
    const run = (environment: Record<string, string>) => runCli(environment, 'mcp');
    expectRefusal(await run({}), /Set DOCUMENT_SERVICE_KEY to an API key/);
    const wrong = { DOCUMENT_SERVICE_KEY: key, DOCUMENT_SERVICE_URL: 'localhost:3000' };
    expectRefusal(await run(wrong), /DOCUMENT_SERVICE_URL is not a valid URL/);
  });
});
