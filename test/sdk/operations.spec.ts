import { readFileSync } from 'node:fs';
import { DocumentService, NotFoundError } from '@document-service/client';
import { callsOf, SDK_OPERATIONS } from '../../scripts/sdk-operations.mjs';

interface ApiDocument {
  paths: Record<string, Record<string, { operationId: string; 'x-signed-in-people'?: true }>>;
}

type Method = (...args: unknown[]) => unknown;

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as ApiDocument;
const operations = Object.entries(paths).flatMap(([route, item]) =>
  Object.entries(item)
    .filter(([, operation]) => !operation['x-signed-in-people'])
    .map(([method, { operationId }]) => ({
      operationId,
      method: method.toUpperCase(),
      route,
    })),
);

/** Awaits a call, or the first request of a list or a stream. */
async function settle(result: unknown): Promise<void> {
  const { page, next } = result as Partial<Record<string, () => unknown>>;
  await (page ?? next ?? (() => result)).call(result);
}

/** Calls a method of the client by its path. Returns the method and path of the request that it sends. */
async function requestOf(path: string, route: string): Promise<string> {
  const sent: string[] = [];
  const client = new DocumentService({
    baseUrl: 'http://localhost',
    apiKey: 'key',
    fetch: (input, init) => {
      const { pathname } = new URL(input);
      sent.push(`${init?.method ?? ''} ${decodeURIComponent(pathname)}`);
      // A permanent error, which also ends a stream.
      return Promise.resolve(Response.json({}, { status: 404 }));
    },
  });
  const steps = path.split('.');
  const name = steps.pop() ?? '';
  const resource = steps.reduce<unknown>(
    (parent, step) => (parent as Record<string, unknown>)[step],
    client,
  ) as Record<string, Method>;
  const parameters = [...route.matchAll(/\{\w+\}/g)].map(([parameter]) => parameter);
  const body = { file: '# Text', lastEventId: 'evt_1' };
  const work = async () => settle(resource[name]?.(...parameters, body));
  await expect(work()).rejects.toBeInstanceOf(NotFoundError);
  return sent.join();
}

describe('the table of the methods of the clients', () => {
  it('the table of the methods of the clients has every operation of openapi.json, and no others', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(Object.keys(SDK_OPERATIONS).sort()).toEqual([...ids].sort());
  });

  it('the table of the methods of the clients has each method once', () => {
    expect(new Set(Object.values(SDK_OPERATIONS)).size).toBe(operations.length);
  });

  it.each(operations)(
    'the table of the methods of the clients names the TypeScript method that sends $operationId',
    async (operation) => {
      const { operationId, method, route } = operation;
      expect(await requestOf(SDK_OPERATIONS[operationId] ?? '', route)).toBe(`${method} ${route}`);
    },
  );

  it('the table of the methods of the clients gives methods their Python names', () => {
    expect(callsOf('rotateWebhookSecret')).toEqual({
      typescript: 'client.webhooks.rotateSecret',
      python: 'client.webhooks.rotate_secret',
    });
    expect(callsOf('readDocumentByExternalId').python).toBe('client.documents.by_external_id.get');
    expect(callsOf('importStyleRules').python).toBe('client.style_rules.import_');
  });
});
