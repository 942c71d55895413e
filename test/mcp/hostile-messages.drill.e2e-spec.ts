import fc from 'fast-check';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { WordListProvider } from '../analysis/word-list-provider.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { McpTestClient } from '../support/mcp-client.js';
import { callOf, sendMessage } from './messages.js';
import { drillCount } from '../support/drills.js';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all' },
    overrides: [[AnalysisProviders, new WordListProvider()]],
  });
  ({ key } = await app.account());
});
afterAll(() => app.close());

const send = sendMessage(() => app.origin);

it('/mcp never responds to a call with an internal error, whatever is sent', async () => {
  const headers = { authorization: `Bearer ${key}` };
  const url = new URL(`${app.origin}/mcp`);
  const mcp = await McpTestClient.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
  );
  const { tools } = await mcp.client.listTools();
  const { document } = await mcp.call('create_document', { title: 'Fuzzed', content: '# A\n' });
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(document.id, 1, 'all', 'full', {}, [], '# A', -1, 1e9),
  );
  const named = fc.constantFrom(...tools).chain((tool) => {
    const names = Object.keys(tool.inputSchema.properties ?? {});
    const fields = Object.fromEntries(names.map((name) => [name, value]));
    const args = fc.record(fields, { requiredKeys: [] });
    const ofDocument = args.map((some) => ({ ...some, id: document.id as string, version: 1 }));
    const some = fc.oneof(args, ofDocument, fc.jsonValue({ maxDepth: 2 }));
    return fc.tuple(fc.constant<unknown>(tool.name), some);
  });
  const any = fc.tuple<[unknown, unknown]>(fc.jsonValue({ maxDepth: 1 }), value);
  await fc.assert(
    fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: named }, any), async ([name, args]) => {
      const { status, body } = await send(key, callOf(name, args));
      // Such text is refused before the message is parsed.
      if (status === 400) expect(body.error.data.code).toBe('INVALID_REQUEST');
      else if (body.error) expect(body.error.code).toBe(-32_602);
      else expect(body.result.content[0].text).not.toMatch(/Something went wrong/);
      expect([200, 400]).toContain(status);
    }),
    { numRuns: drillCount({ small: 20, full: 80 }) },
  );
  const methods = fc.constantFrom('resources/read', 'resources/list', 'tools/call');
  await fc.assert(
    fc.asyncProperty(methods, fc.jsonValue({ maxDepth: 2 }), async (method, params) => {
      const { body } = await send(key, { jsonrpc: '2.0', id: 1, method, params });
      expect(body.error?.code).not.toBe(-32_603);
    }),
    { numRuns: drillCount({ small: 10, full: 30 }) },
  );
});
