import { readFileSync } from 'node:fs';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  style?: string;
  schema: { type?: string; $ref?: string };
}

interface ApiDocument {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  components: { parameters: Record<string, Parameter> };
}

const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as ApiDocument;
const parameterOf = (one: Parameter): Parameter =>
  document.components.parameters[one.$ref?.split('/').at(-1) ?? ''] ?? one;

/** Every parameter of the API that has one value, with its operation. People's own routes refuse keys first. */
const SINGLE = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/v1/') && !path.startsWith('/v1/oauth/'))
  .flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { parameters = [] }]) =>
      parameters
        .map(parameterOf)
        .filter(({ in: place, style, schema }) => {
          return place === 'query' && schema.type !== 'array' && style !== 'deepObject';
        })
        .map(({ name }) => ({ method: method.toUpperCase(), path, name })),
    ),
  );

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('A query parameter with one value', () => {
  it('that is given twice is refused with that reason on every route', async () => {
    const { api } = await app.account();
    expect(SINGLE.length).toBeGreaterThan(100);
    const others: string[] = [];
    for (const { method, path, name } of SINGLE) {
      const at = path.replaceAll(/\{\w+\}/g, 'doc_01m8btmn27e6xbr2vbc0qrj2zt');
      const options = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
      const response = await api.send(method, `${at}?${name}=1&${name}=2`, options);
      const { problems = [] } = (response.body.error?.details ?? {}) as {
        problems?: { field: string; issue: string }[];
      };
      const own = problems.filter(({ field }) => field === name).map(({ issue }) => issue);
      if (!own.join().startsWith('was given ')) {
        others.push(`${method} ${path}?${name}: ${String(response.status)} ${own.join()}`);
      }
    }
    expect(others).toEqual([]);
  });

  it('says how often it was given, and a misspelled one gets its name', async () => {
    const { api } = await app.account();
    const refused = await api.send('GET', '/v1/documents?page=1&page=2&page=3');
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.message).toBe('page: was given 3 times; give it once');
    const brackets = await api.send('GET', '/v1/documents?page[]=1&page[]=2');
    expect(brackets.body.error.message).toContain("did you mean 'page'?");
    const percent = await api.send('GET', '/v1/documents?%=1');
    expectFailure(percent, 400, 'INVALID_REQUEST');
    expect(percent.body.error.message).not.toContain('did you mean');
  });
});
