import type { OpenAPIObject } from '@nestjs/swagger';
import { grants, SCOPES, type Scope } from '../../src/features/auth/scopes.js';
import { ROLE_SCOPES } from '../../src/features/auth/roles.js';
import { AccessTokensRepository } from '../../src/features/auth/tokens/access-tokens.repository.js';
import { ApiDocument, samplePath, type Operation } from '../openapi/api-document.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { expectSuccess } from '../support/envelope.js';
import { bodyOf, QUERIES } from '../openapi/sample-requests.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { FakeSessionsModule, signIn } from './fake-sessions.js';

let app: TestApp;
let document: ApiDocument;
beforeAll(async () => {
  app = await startTestApp({ modules: [FakeSessionsModule] });
  const { body } = await app.api().send('GET', '/v1/openapi.json');
  document = new ApiDocument(body as OpenAPIObject);
});
afterAll(() => app.close());

type Sender = Pick<ApiClient, 'send'>;
type Account = Awaited<ReturnType<TestApp['account']>>;

/** Returns a client with these scopes, for each kind of credential that has scopes of its own. */
const CREDENTIALS: Readonly<
  Record<string, (account: Account, scopes: readonly Scope[]) => Promise<Sender>>
> = {
  'an API key': async (account, scopes) =>
    app.api((await app.anotherKey(account, { scopes: [...scopes] })).key),
  'a key of a service account': async (account, scopes) => {
    const { userId } = await makeServiceAccount(account, 'admin');
    return app.api((await app.anotherKey({ ...account, userId }, { scopes: [...scopes] })).key);
  },
  'an access token of a connected app': async (account, scopes) => {
    const { keyId } = await app.anotherKey(account);
    const createdAt = app.clock.now();
    const token = await app.app.get(AccessTokensRepository).create({
      keyId,
      kind: 'access',
      scopes: [...scopes],
      documents: null,
      minuteLimit: null,
      label: null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 3_600_000),
    });
    return app.api(token);
  },
};

/** Creates a service account as the product does. Returns its UUID. */
async function makeServiceAccount({ api }: Account, role: string): Promise<{ userId: string }> {
  const body = { name: 'Website sync', role };
  const made = expectSuccess(await api.send('POST', '/v1/service-accounts', { body }), 201);
  return { userId: decodeId('user', (made as { id: string }).id) ?? '' };
}

/** Another scope or role suffices, too, and the API document names one scope. */
const WITH_ALTERNATIVE = ['rejectSuggestions', 'putPublishing'];

const scopeOf = ({ security = [] }: Operation) =>
  (security as Record<string, Scope[]>[])[0]?.['bearerKey']?.[0];

const scoped = () =>
  document.operations().flatMap((operation) => {
    const scope = scopeOf(operation);
    const isAlone = !WITH_ALTERNATIVE.includes(operation.operationId);
    return scope !== undefined && isAlone ? [{ operation, scope }] : [];
  });

function statusOf(client: Sender, operation: Operation) {
  const path = samplePath(operation) + (QUERIES[operation.operationId] ?? '');
  const body = bodyOf(operation);
  return client.send(operation.method, path, body && { body });
}

/** Returns the operations that a client can use or not, other than its role says. */
async function differences(client: Sender, role: keyof typeof ROLE_SCOPES): Promise<object[]> {
  const problems: object[] = [];
  for (const { operation, scope } of scoped()) {
    // A stream that is open does not end.
    if (operation.operationId === 'streamEvents') continue;
    const { status, body } = await statusOf(client, operation);
    const lacks = !(ROLE_SCOPES[role] as readonly Scope[]).includes(scope);
    const required = body?.error?.details?.requiredScopes as unknown;
    const isRefused = status === 403 && String(required) === scope;
    if (isRefused !== lacks) problems.push({ operation: operation.operationId, status, required });
  }
  return problems;
}

describe('each operation', () => {
  it.each(Object.entries(CREDENTIALS))(
    'refuses %s that has every scope but the required one',
    async (_, clientWith) => {
      const account = await app.account();
      const clients = new Map<Scope, Sender>();
      const problems: object[] = [];
      for (const { operation, scope } of scoped()) {
        const others = SCOPES.filter(
          (one) => one !== '*' && (scope === '*' || !grants([scope], one)),
        );
        const client = clients.get(scope) ?? (await clientWith(account, others));
        clients.set(scope, client);
        const { status, body } = await statusOf(client, operation);
        const required = body?.error?.details?.requiredScopes as unknown;
        if (status !== 403 || String(required) !== scope) {
          problems.push({ operation: operation.operationId, status, required });
        }
      }
      expect(problems).toEqual([]);
    },
  );

  it.each(['viewer', 'member', 'admin'] as const)(
    'refuses a signed-in %s if and only if the role lacks the required scope',
    async (role) => {
      const person = await signIn(app, await app.account(), role);
      expect(await differences(person, role)).toEqual([]);
    },
  );

  it.each(['viewer', 'member', 'admin'] as const)(
    'refuses a key with every scope if and only if the role of its service account, a %s, lacks the required scope',
    async (role) => {
      const account = await app.account();
      const { userId } = await makeServiceAccount(account, role);
      const { key } = await app.anotherKey({ ...account, userId });
      expect(await differences(app.api(key), role)).toEqual([]);
    },
  );

  it('refuses unknown keys, tokens and a request without a credential', async () => {
    const clients = [
      app.api(),
      ...['ds_live_', 'ds_at_', 'ds_bt_', 'ds_rt_'].map((start) => app.api(`${start}x`)),
    ];
    const problems: object[] = [];
    for (const operation of document.operations()) {
      if (operation.security?.length === 0) continue;
      for (const client of clients) {
        const { status } = await statusOf(client, operation);
        if (status !== 401 && status !== 429) {
          problems.push({ operation: operation.operationId, status });
        }
      }
    }
    expect(problems).toEqual([]);
  });
});
