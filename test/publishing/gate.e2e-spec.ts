import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { proposed } from '../proposals/proposals-api.js';
import type { ApiClient } from '../support/api-client.js';
import type { TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { McpTestClient } from '../support/mcp-client.js';
import {
  analyzed,
  analyzedDocument,
  checksOf,
  DULL,
  FINNISH,
  gatedAccount,
  GateProvider,
  GOOD,
  isLive,
  LONG,
  problemsIn,
  startGateApp,
  WAYS,
  withoutAnalyses,
  WRONG,
} from './gate-api.js';
import { act, acted, newDocument, patched, type PublishedDocument } from './publishing-api.js';

const provider = new GateProvider();
let app: TestApp;
beforeAll(async () => {
  app = await startGateApp(provider);
});
afterAll(() => app.close());

/** What is wrong with a document, and how to make one. */
interface Case {
  check: string;
  rule: object;
  create: (api: ApiClient) => Promise<PublishedDocument>;
}

const CASES: Case[] = [
  {
    check: 'errors',
    rule: { checks: { errors: 0 } },
    create: (api) => analyzedDocument(api, WRONG),
  },
  {
    check: 'score',
    rule: { checks: { minScore: 70 } },
    create: (api) => analyzedDocument(api, DULL),
  },
  {
    check: 'unchecked_language',
    rule: { checks: { errors: 0 } },
    create: (api) => analyzedDocument(api, FINNISH),
  },
  {
    check: 'open_suggestions',
    rule: { checks: { openSuggestions: 0 } },
    create: async (api) => {
      const document = await newDocument(api, { title: 'Text', content: GOOD });
      await proposed(api, document.id, { edits: [{ quote: 'mat', replacement: 'sofa' }] });
      return document;
    },
  },
];
const STRICT = { checks: { errors: 0, minScore: 70, openSuggestions: 0 } };

const analysesOf = async (api: ApiClient, { id }: { id: string }) =>
  expectSuccess(await api.send('GET', `/v1/documents/${id}/analyses`)) as { id: string }[];

describe.each(Object.entries(WAYS))('%s', (_, publish) => {
  it.each(CASES)(
    'is refused because of $check, and changes nothing',
    async ({ check, rule, create }) => {
      const { api } = await gatedAccount(app, rule);
      const document = await create(api);
      const problems = await publish(api, document);
      expect(checksOf(problems)).toEqual([check]);
      if (check !== 'open_suggestions') {
        const [analysis] = await analysesOf(api, document);
        expect(problems[0]?.analysisId).toBe(analysis?.id);
      }
      expect(expectSuccess(await api.readDocument(document.id))).toMatchObject({ status: 'draft' });
      expect(await isLive(api, document)).toBe(false);
    },
  );

  it('is refused while the analysis is missing', async () => {
    const { api } = await gatedAccount(app, STRICT);
    const document = await newDocument(api, { title: 'Text', content: GOOD });
    const problems = await withoutAnalyses(app, provider, () => publish(api, document));
    expect(checksOf(problems)).toEqual(['analysis_missing']);
    expect(await isLive(api, document)).toBe(false);
  });

  it('publishes a version without problems', async () => {
    const { api } = await gatedAccount(app, STRICT);
    const document = await analyzedDocument(api, GOOD);
    expect(await publish(api, document)).toEqual([]);
    expect(await isLive(api, document)).toBe(true);
  });
});

describe('the tools for models', () => {
  it.each([
    ['publish_document', {}],
    ['edit_document', { version: 1, status: 'published' }],
  ])('refuse with the problem: %s', async (tool, more) => {
    const account = await gatedAccount(app, STRICT);
    const { api, key } = account;
    const { id } = await analyzedDocument(api, WRONG);
    const mcp = await McpTestClient.connect(
      new StreamableHTTPClientTransport(new URL(`${app.origin}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
    );
    expect(await mcp.refusal(tool, { id, ...more })).toMatch(/The analysis found 1 error/);
    await mcp.close();
    expect(await isLive(api, { id })).toBe(false);
  });
});

describe('publication rules', () => {
  it('apply by type: the first that fits', async () => {
    const { api } = await gatedAccount(
      app,
      { types: ['article'], checks: {} },
      { types: ['report', 'article'], checks: { errors: 0 } },
    );
    const [article, report, other] = await Promise.all(
      ['article', 'report', 'technical'].map((type) => analyzedDocument(api, WRONG, { type })),
    );
    expect((await act(api, article as PublishedDocument, 'publish')).status).toBe(200);
    expect((await act(api, report as PublishedDocument, 'publish')).status).toBe(409);
    expect((await act(api, other as PublishedDocument, 'publish')).status).toBe(200);
  });

  it('list all problems', async () => {
    const { api } = await gatedAccount(app, STRICT);
    const document = await analyzedDocument(api, DULL);
    await proposed(api, document.id, { edits: [{ quote: 'dull', replacement: 'bright' }] });
    const refused = await act(api, document, 'publish');
    expectFailure(refused, 409, 'INVALID_REQUEST');
    expect(refused.body.error.details).toEqual({
      reason: 'checks',
      problems: [
        {
          field: 'status',
          check: 'score',
          issue: expect.stringMatching(/40.*70/),
          analysisId: expect.any(String),
        },
        { field: 'status', check: 'open_suggestions', issue: expect.any(String) },
      ],
    });
  });

  it('count issues that an analysis does not list as errors', async () => {
    const { api } = await gatedAccount(app, { checks: { errors: 2 } });
    const document = await analyzedDocument(api, LONG);
    expect(checksOf(problemsIn(await act(api, document, 'publish')))).toEqual(['errors']);
  });

  it('do nothing while publishing is off', async () => {
    const { api } = await app.account();
    const rules = [STRICT];
    expectSuccess(await api.send('PUT', '/v1/publishing', { body: { enabled: false, rules } }));
    const document = await newDocument(api, { title: 'Text', content: WRONG });
    expect(await patched(api, document, { status: 'published' })).toMatchObject({ version: 2 });
  });

  it('have defaults, are replaced as a whole, and are in the audit log', async () => {
    const { api } = await gatedAccount(app, { checks: { errors: 0 } });
    const [rule] = (expectSuccess(await api.send('GET', '/v1/publishing')) as { rules: object[] })
      .rules;
    expect(rule).toEqual({
      types: null,
      checks: { errors: 0, minScore: null, openSuggestions: null },
      override: 'nobody',
    });
    const put = (body: object) => api.send('PUT', '/v1/publishing', { body });
    expect(expectSuccess(await put({ enabled: true, rules: [rule] }))).toMatchObject({
      rules: [rule],
    });
    expect(expectSuccess(await put({ enabled: true }))).toMatchObject({ rules: [] });
    const entries = expectSuccess(
      await api.send('GET', '/v1/audit?action=account.update&order=asc'),
    ) as { details: { publishing: { rules: object[] } } }[];
    expect(entries.map(({ details }) => details.publishing.rules)).toEqual([[rule], []]);
  });

  it.each([
    ['rules[0].checks', [{ override: 'owner' }]],
    ['rules[0].types', [{ types: [], checks: {} }]],
    ['rules[0].types', [{ types: ['poem'], checks: {} }]],
    ['rules[0].checks.minScore', [{ checks: { minScore: 101 } }]],
    ['rules[0].checks.errors', [{ checks: { errors: -1 } }]],
    ['rules[0].override', [{ checks: {}, override: 'member' }]],
    ['rules[0].approvals', [{ checks: {}, approvals: 1 }]],
    ['rules', Array.from({ length: 21 }, () => ({ checks: {} }))],
  ])('are refused with an invalid %s', async (field, rules) => {
    const { api } = await app.account();
    const refused = await api.send('PUT', '/v1/publishing', { body: { enabled: true, rules } });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    const named = String(refused.body.error.details.field);
    expect(named.slice(0, field.length)).toBe(field);
  });
});

describe('the analysis of a version', () => {
  it('is ordered by publish, which waits for it, once', async () => {
    const { api } = await gatedAccount(app, STRICT);
    const document = await newDocument(api, { title: 'Text', content: GOOD });
    expect(await acted(api, document, 'publish')).toMatchObject({ published: { version: 2 } });
    expect(await analysesOf(api, document)).toHaveLength(1);
    await acted(api, document, 'unpublish');
    await acted(api, document, 'publish');
    expect(await analysesOf(api, document)).toHaveLength(1);
  });

  it('is ordered by a PATCH, which does not wait, and not by a keyed publish', async () => {
    const { api } = await gatedAccount(app, STRICT);
    const document = await newDocument(api, { title: 'Text', content: GOOD });
    const headers = { 'Idempotency-Key': 'one' };
    expect((await act(api, document, 'publish', undefined, headers)).status).toBe(409);
    expect(expectSuccess(await api.send('GET', '/v1/jobs'))).toEqual([]);
    expect((await api.patchDocument(document.id, { status: 'published' })).status).toBe(409);
    await eventually(
      () => analysesOf(api, document),
      ({ length }) => length === 1,
    );
    expect(await patched(api, document, { status: 'published' })).toMatchObject({ version: 2 });
  });

  it('is missing if the request itself changes the text', async () => {
    const { api } = await gatedAccount(app, { checks: { errors: 0 } });
    const document = await analyzedDocument(api, GOOD);
    const refused = await api.patchDocument(document.id, { content: 'New.', status: 'published' });
    expect(problemsIn(refused)).toEqual([
      {
        field: 'status',
        check: 'analysis_missing',
        issue: expect.stringMatching(/Save the text first/),
      },
    ]);
    expect(expectSuccess(await api.readDocument(document.id))).toMatchObject({ version: 1 });
  });

  it('still counts after changes of status, external ID and collection, and not after others', async () => {
    const { api } = await gatedAccount(app, { checks: { errors: 0 } });
    const document = await analyzedDocument(api, GOOD);
    await patched(api, document, { status: 'in_review' });
    await patched(api, document, { status: 'draft', externalId: 'guide' });
    await patched(api, document, { status: 'published' });
    await patched(api, document, { status: 'draft' });
    await patched(api, document, { content: WRONG });
    await patched(api, document, { content: GOOD });
    const refused = await api.patchDocument(document.id, { status: 'published' });
    expect(checksOf(problemsIn(refused))).toEqual(['analysis_missing']);
  });

  it.each([
    ['the dictionary changes', '/v1/dictionary/add', { words: ['teh'] }],
    ['an issue is dismissed', undefined, {}],
    ['a rule is turned off', '/v1/analysis-settings', { disableRules: ['spelling.unknown-word'] }],
  ])('is out of date once %s', async (_, path, body) => {
    const { api } = await gatedAccount(app, { checks: { errors: 1 } });
    const document = await newDocument(api, { title: 'Text', content: WRONG });
    const { issues } = await analyzed(api, document);
    const checks = async () =>
      expectSuccess(await api.send('GET', `/v1/documents/${document.id}/publication-checks`)) as {
        problems: { check: string }[];
      };
    expect((await checks()).problems).toEqual([]);
    const changed =
      path === undefined
        ? await api.send('POST', `/v1/documents/${document.id}/dismissals`, {
            body: { issueIds: issues.map(({ id }) => id) },
          })
        : await api.send(path.endsWith('settings') ? 'PATCH' : 'POST', path, { body });
    expect(changed.status).toBeLessThan(300);
    expect((await checks()).problems).toMatchObject([{ check: 'analysis_missing' }]);
    await analyzed(api, document);
    expect((await checks()).problems).toEqual([]);
  });

  it('without errors counts again after the errors were dismissed', async () => {
    const { api } = await gatedAccount(app, { checks: { errors: 0 } });
    const document = await newDocument(api, { title: 'Text', content: WRONG });
    const { issues } = await analyzed(api, document);
    expect(checksOf(problemsIn(await act(api, document, 'publish')))).toEqual(['errors']);
    const issueIds = issues.map(({ id }) => id);
    const path = `/v1/documents/${document.id}/dismissals`;
    expect((await api.send('POST', path, { body: { issueIds } })).status).toBeLessThan(300);
    expect((await act(api, document, 'publish')).status).toBe(200);
  });

  it('must fulfill rules that were activated after it, also for an older version', async () => {
    const { api } = await gatedAccount(app);
    const document = await analyzedDocument(api, WRONG);
    await acted(api, document, 'publish');
    await patched(api, document, { content: GOOD });
    await acted(api, document, 'publish');
    expectSuccess(
      await api.send('PUT', '/v1/publishing', { body: { enabled: true, rules: [STRICT] } }),
    );
    const rolledBack = await act(api, document, 'publish', { version: 2 });
    expect(checksOf(problemsIn(rolledBack))).toEqual(['errors']);
    expect(expectSuccess(await api.readDocument(document.id))).toMatchObject({
      published: { version: 3 },
    });
  });

  it('does not count open proposals for other versions', async () => {
    const { api } = await gatedAccount(app, { checks: { openSuggestions: 0 } });
    const document = await newDocument(api, { title: 'Text', content: GOOD });
    await proposed(api, document.id, { edits: [{ quote: 'mat', replacement: 'sofa' }] });
    await patched(api, document, { content: WRONG });
    await acted(api, document, 'publish');
    expect(checksOf(problemsIn(await act(api, document, 'publish', { version: 1 })))).toEqual([
      'open_suggestions',
    ]);
  });
});

describe('an atomic batch', () => {
  it('publishes nothing if one document is refused; others publish the rest', async () => {
    const { api } = await gatedAccount(app, STRICT);
    const [good, wrong] = [await analyzedDocument(api, GOOD), await analyzedDocument(api, WRONG)];
    const operations = [good, wrong].map(({ id }) => ({ op: 'publish', id }));
    const statuses = async (atomic: boolean) => {
      const response = await api.batchDocuments({ atomic, operations });
      const { results } = expectSuccess(response) as { results: { status: number }[] };
      return results.map(({ status }) => status);
    };
    expect(await statuses(true)).toEqual([424, 409]);
    expect(await isLive(api, good)).toBe(false);
    expect(await statuses(false)).toEqual([200, 409]);
    expect(await isLive(api, good)).toBe(true);
    expect(await isLive(api, wrong)).toBe(false);
  });
});

describe('GET /v1/documents/{id}/publication-checks', () => {
  it('returns what publishing a version would find, and orders nothing', async () => {
    const { api } = await gatedAccount(app, { ...STRICT, override: 'owner' });
    const document = await newDocument(api, { title: 'Text', content: WRONG });
    const path = `/v1/documents/${document.id}/publication-checks`;
    expect(expectSuccess(await api.send('GET', path))).toMatchObject({
      version: 1,
      problems: [{ check: 'analysis_missing' }],
      canOverride: true,
    });
    expect(expectSuccess(await api.send('GET', '/v1/jobs'))).toEqual([]);
    await analyzed(api, document);
    await patched(api, document, { content: GOOD });
    await acted(api, document, 'publish');
    expect(expectSuccess(await api.send('GET', path))).toEqual({
      version: 3,
      problems: [],
      canOverride: false,
    });
    expect(expectSuccess(await api.send('GET', `${path}?version=1`))).toMatchObject({
      version: 1,
      problems: [{ check: 'errors' }],
    });
    expectFailure(await api.send('GET', `${path}?version=9`), 404, 'NOT_FOUND');
    await patched(api, document, { status: 'archived' });
    expectFailure(await api.send('GET', path), 409, 'INVALID_REQUEST');
  });

  it('is refused while publishing is off', async () => {
    const { api } = await app.account();
    const { id } = await newDocument(api, { title: 'Text' });
    const response = await api.send('GET', `/v1/documents/${id}/publication-checks`);
    expectFailure(response, 409, 'INVALID_REQUEST');
  });
});
