import { TemplateThreads } from '../../src/features/templates/variables/template-threads.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { fillDocuments, fillStorage } from '../support/fill.js';
import { PLAN_QUOTAS } from '../../src/features/usage/quotas/plan-quotas.js';

const MIB = 1024 ** 2;
const MAX_BYTES = 16 * MIB;
const PLACEHOLDER = '{{a}}';
const LONG = PLACEHOLDER.repeat(209_000);

interface Result {
  status: number;
  data?: { title: string; content: string };
  error?: { code: string; message: string; details: object };
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(() => jest.restoreAllMocks());

async function withTemplate(content: string, plan: 'free' | 'enterprise' = 'enterprise') {
  const account = await app.account({ plan });
  const template = { name: 'T', title: 'A', content };
  const { id } = expectSuccess(await account.api.createTemplate(template), 201) as { id: string };
  return { ...account, id };
}

const creates = (templateId: string, count: number, a = '') =>
  Array.from({ length: count }, () => ({
    op: 'create',
    document: { templateId, templateVariables: { a } },
  }));

async function batch(api: ApiClient, body: object): Promise<Result[]> {
  const response = await api.send('POST', '/v1/documents/batch', { body });
  return (expectSuccess(response) as { results: Result[] }).results;
}

/** Counts the templates that were filled, while they are. */
const countFills = () => jest.spyOn(TemplateThreads.prototype, 'fill').mock.calls;

describe('a batch that creates documents from a template', () => {
  it('a batch that creates documents from a template reads at most 16 MiB of templates, and refuses the other operations', async () => {
    const { api, id } = await withTemplate(LONG);
    const small = expectSuccess(
      await api.createTemplate({ name: 'S', title: 'Small', content: PLACEHOLDER }),
      201,
    ) as { id: string };
    const fills = countFills();
    const operations = [
      ...creates(id, 40),
      { op: 'create', document: { title: 'Plain' } },
      ...creates(small.id, 1, 'x'),
    ];
    const results = await batch(api, { operations });
    const fitting = Math.floor(MAX_BYTES / LONG.length);
    expect(results.filter(({ status }) => status === 201)).toHaveLength(fitting + 2);
    expect(results.slice(-2).map(({ status }) => status)).toEqual([201, 201]);
    const refused = results.filter(({ status }) => status === 413);
    expect(refused).toHaveLength(40 - fitting);
    expect(refused[0]?.error).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { maxBytes: MAX_BYTES },
    });
    expect(fills).toHaveLength(fitting + 1);
  });

  it('a batch that creates documents from a template counts what it writes like what it reads', async () => {
    const { api, id } = await withTemplate(PLACEHOLDER.repeat(1_000));
    const a = 'x'.repeat(1_000);
    const results = await batch(api, { operations: creates(id, 40, a) });
    const fitting = results.filter(({ status }) => status === 201).length;
    expect(fitting).toBe(Math.floor(MAX_BYTES / (1_000_000 + 5_000 + '{}{}'.length)));
    expect(results.filter(({ status }) => status === 413)).toHaveLength(40 - fitting);
  });

  it('a batch that creates documents from a template counts operations that fail for another reason', async () => {
    const { api, id } = await withTemplate(LONG);
    const fills = countFills();
    const unknown = creates(id, 40).map(({ op }) => ({
      op,
      document: { templateId: id, templateVariables: { other: '' } },
    }));
    const results = await batch(api, { operations: unknown });
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([400, 413]));
    expect(fills.length).toBeLessThanOrEqual(MAX_BYTES / LONG.length);
  });

  it('a batch that creates documents from a template changes nothing if it is atomic', async () => {
    const { api, id } = await withTemplate(LONG);
    const results = await batch(api, { atomic: true, operations: creates(id, 40) });
    const statuses = results.map(({ status }) => status).sort();
    expect(statuses).toEqual([413, ...Array<number>(39).fill(424)]);
    expect((await api.listDocuments()).body.meta).toMatchObject({ pagination: { total: 0 } });
  });

  it('a batch that creates documents from a template is done completely if its templates are usual', async () => {
    const { api, id } = await withTemplate(`${PLACEHOLDER}${'x'.repeat(70_000)}`);
    const results = await batch(api, { operations: creates(id, 100, 'y') });
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([201]));
  });
});

it.each([
  ['documents', (account: Parameters<typeof fillDocuments>[1]) => fillDocuments(app.dataSource, account, PLAN_QUOTAS.free.documents ?? 0)],
  ['storageBytes', (account: Parameters<typeof fillStorage>[1]) => fillStorage(app.dataSource, account, PLAN_QUOTAS.free.storageBytes ?? 0)],
] as const)('a template in an account whose quota is used up is not filled for documents that the quota refuses: %s', async (quota, fill) => {
  const account = await withTemplate(LONG, 'free');
  await fill(account);
  const fills = countFills();
  const { api, id } = account;
  const single = await api.createDocument({ templateId: id, templateVariables: { a: 'x' } });
  expectFailure(single, 403, 'FORBIDDEN');
  expect(single.body.error.details).toMatchObject({ quota });
  const results = await batch(api, { operations: creates(id, 100, 'x') });
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set([403]));
  expect(fills).toHaveLength(0);
}); // prettier-ignore
