import { Config } from '../../src/platform/config/config.js';
import { DOCUMENT_TYPES } from '../../src/features/content/document-type.js';
import { type ApiClient, whileBusy } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';

interface Listed {
  id: string;
  name: string;
  type: string;
  createdBy: object | null;
  version: number;
  variables: { name: string; required: boolean }[];
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function list(api: ApiClient, query = {}): Promise<Listed[]> {
  return expectSuccess(await api.listTemplates(query)) as Listed[];
}

describe('the starter templates', () => {
  it('the starter templates exist in every account: one for each type, without a creator', async () => {
    const { api } = await app.account();
    const starters = await list(api);
    expect(starters.map(({ type }) => type)).toEqual(DOCUMENT_TYPES);
    for (const { createdBy, version } of starters) expect([createdBy, version]).toEqual([null, 1]);
    const versions = await api.list(`/v1/templates/${starters[0]?.id ?? ''}/versions`, {});
    expect(versions.body.data).toMatchObject([{ number: 1, changes: [], author: null }]);
  });

  it('each create a document from their required variables alone, without a warning', async () => {
    const { api } = await app.account();
    for (const { id, type, variables } of await list(api)) {
      const required = variables.filter((variable) => variable.required);
      const templateVariables = Object.fromEntries(
        required.map(({ name }) => [name, `My ${name}`]),
      );
      const response = await api.createDocument({ templateId: id, templateVariables });
      expect(expectSuccess(response, 201)).toMatchObject({ type, templateId: id, status: 'draft' });
      expect(response.body.meta.warnings).toBeUndefined();
    }
  });

  it('the starter templates are inserted once, however many requests arrive at once on two replicas', async () => {
    const account = await app.account();
    const replica = await startTestApp({ databaseUrl: app.app.get(Config).databaseUrl });
    const apis = [account.api, replica.api(account.key)];
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        whileBusy(() => (apis[n % 2] as ApiClient).listTemplates({ limit: 1 + n })),
      ),
    );
    const totals = responses.map(({ body }) => body.meta.pagination.total as number);
    await replica.close();
    expect(new Set(totals)).toEqual(new Set([5]));
  });

  it('the starter templates are the oldest of an account, even if it created its own before listing them', async () => {
    const { api } = await app.account();
    app.clock.advance(365 * 24 * 60 * 60 * 1000);
    expectSuccess(await api.createTemplate({ name: 'My own' }), 201);
    const names = (await list(api)).map(({ name }) => name);
    expect([names.length, names[0]]).toEqual([6, 'My own']);
  });

  it('the starter templates do not return after they are deleted, not even on another replica', async () => {
    const account = await app.account();
    for (const { id } of await list(account.api))
      expectSuccess(await account.api.deleteTemplate(id));
    expect(await list(account.api)).toEqual([]);
    const replica = await startTestApp({ databaseUrl: app.app.get(Config).databaseUrl });
    const again = await replica.api(account.key).listTemplates();
    await replica.close();
    expect(again.body.data).toEqual([]);
  });

  it('the starter templates can be changed like others', async () => {
    const { api, user } = await app.account();
    const [first] = await list(api);
    const id = first?.id ?? '';
    expectSuccess(await api.patchTemplate(id, { name: 'Our notes' }));
    expect((await list(api)).map(({ name }) => name)).toContain('Our notes');
    const versions = await api.list(`/v1/templates/${id}/versions`, {});
    expect(versions.body.data).toMatchObject([{ author: user }, { author: null }]);
  });
});
