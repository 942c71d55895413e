import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  analyzedDocument,
  DULL,
  gatedAccount,
  GateProvider,
  GOOD,
  startGateApp,
  WRONG,
} from '../publishing/gate-api.js';
import { patched } from '../publishing/publishing-api.js';
import {
  HOUR_MS,
  inHours,
  liveText,
  newRelease,
  publishing,
  runDue,
} from '../releases/releases-api.js';
import type { TestApp } from '../support/app.js';
import { McpTestClient } from '../support/mcp-client.js';

let app: TestApp;
let account: Awaited<ReturnType<typeof gatedAccount>>;
let mcp: McpTestClient;

beforeAll(async () => {
  app = await startGateApp(new GateProvider());
  account = await gatedAccount(app, { checks: { errors: 0, minScore: 50 } });
  const headers = { authorization: `Bearer ${account.key}` };
  mcp = await McpTestClient.connect(
    new StreamableHTTPClientTransport(new URL(`${app.origin}/mcp`), { requestInit: { headers } }),
  );
});
afterAll(async () => {
  await mcp.close();
  await app.close();
});

describe('an agent that publishes by rules', () => {
  it('an agent sees before publishing what the rules refuse, and the refusal has each problem once', async () => {
    const { id } = await analyzedDocument(account.api, WRONG);
    const { version, problems, releases, next } = await mcp.call('check_publication', { id });
    expect(problems).toMatchObject([{ check: 'errors', analysisId: expect.any(String) }]);
    expect({ version, releases }).toEqual({ version: 1, releases: [] });
    expect(next).toMatch(/^Resolve the problems first\. analyze_document lists/);
    const refused =
      'It was not published. The analysis found 1 error, and 0 are allowed. Correct or dismiss them. ' +
      'analyze_document lists the issues, list_suggestions the open suggestions. Resolve them, then call publish_document.';
    expect(await mcp.refusal('publish_document', { id })).toBe(refused);
    const status = { id, version: 1, status: 'published' };
    expect(await mcp.refusal('edit_document', status)).toBe(refused);
    await patched(account.api, { id }, { content: GOOD });
    const missing = await mcp.call('check_publication', { id });
    expect(missing).toMatchObject({ version: 2, problems: [{ check: 'analysis_missing' }] });
    // It orders the analysis and waits for it.
    expect(await mcp.call('publish_document', { id })).toMatchObject({
      document: { published: { version: 3 } },
    });
    expect(await mcp.call('check_publication', { id, atVersion: 1 })).toMatchObject({
      version: 1,
      problems: [{ check: 'errors' }],
    });
    expect(await mcp.refusal('check_publication', { id, atVersion: 9 })).toMatch(/list_versions/);
  });

  it('an agent sees all releases with a document, also those of a version that would be refused', async () => {
    const { api } = account;
    const good = await analyzedDocument(api, GOOD);
    const dull = await analyzedDocument(api, DULL);
    const open = await newRelease(api, { items: [publishing(dull), publishing(good)] });
    const publishAt = inHours(app, 2);
    await mcp.call('schedule_document', { id: good.id, publishAt });
    const { problems, releases } = await mcp.call('check_publication', { id: good.id });
    expect(problems).toEqual([]);
    const of = { action: 'publish', timeZone: null };
    expect(releases).toEqual([
      { ...of, id: open.id, title: 'Campaign', status: 'open', publishAt: null, version: null },
      { ...of, id: expect.any(String), title: null, status: 'scheduled', publishAt, version: 1 },
    ]);
    const { problems: ofDull } = await mcp.call('check_publication', { id: dull.id });
    expect(ofDull).toMatchObject([{ check: 'score' }]);
  });
});

describe('an agent that schedules documents', () => {
  it('an agent schedules the version that it has read, replaces the schedule and removes it', async () => {
    const { api } = account;
    const document = await analyzedDocument(api, GOOD);
    const { id } = document;
    await patched(api, document, { content: WRONG });
    const [publishAt, unpublishAt] = [inHours(app, 1), inHours(app, 3)];
    const timeZone = 'Europe/Berlin';
    const times = { publishAt, unpublishAt, timeZone };
    expect(await mcp.call('schedule_document', { id, atVersion: 1, ...times })).toMatchObject({
      publish: { action: 'publish', version: 1, publishAt, timeZone, status: 'scheduled' },
      unpublish: { action: 'unpublish', version: null, publishAt: unpublishAt },
    });
    const replaced = await mcp.call('schedule_document', { id, atVersion: 1, publishAt });
    expect(replaced).toMatchObject({ publish: { publishAt }, unpublish: null });
    const { releases } = await mcp.call('check_publication', { id });
    expect(releases).toMatchObject([{ publishAt, version: 1, title: null }]);
    app.clock.advance(HOUR_MS);
    await runDue(app);
    expect(await liveText(api, document)).toBe(GOOD);
    await mcp.call('schedule_document', { id, unpublishAt: inHours(app, 1) });
    expect(await mcp.call('schedule_document', { id, cancel: true })).toMatchObject({
      publish: null,
      unpublish: null,
    });
    expect(await mcp.refusal('schedule_document', { id, cancel: true })).toBe(
      'This document has no schedule. check_publication shows the releases that contain it.',
    );
  });

  it('an agent learns what is wrong with its arguments', async () => {
    const { id } = await analyzedDocument(account.api, GOOD);
    const refusalOf = (args: object) => mcp.refusal('schedule_document', { id, ...args });
    expect(await refusalOf({})).toMatch(/publishAt is required.*Correct this/);
    expect(await refusalOf({ publishAt: '2030-01-15T09:00:00' })).toMatch(
      /publishAt: must be a time with an offset/,
    );
    expect(await refusalOf({ publishAt: inHours(app, -1) })).toMatch(/must be in the future/);
    expect(await refusalOf({ publishAt: inHours(app, 1), cancel: true })).toMatch(
      /^Send either cancel or times/,
    );
    const zone = { publishAt: inHours(app, 1), timeZone: 'Mars/Base' };
    expect(await refusalOf(zone)).toMatch(/IANA/);
    const { releases } = await mcp.call('check_publication', { id });
    expect(releases).toEqual([]);
  });
});
