import { createServices } from '../../src/entrypoints/cli/create-services.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import type { TransactionalDataSource } from '../../src/platform/database/transactional-data-source.js';
import {
  FROM_EVERYWHERE,
  join,
  newBrowser,
  signUpAs,
  type SignedInPerson,
} from '../dashboard/people.js';
import { whileBusy, type ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newUser } from '../support/browser.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startMailServer, type MailServer } from '../support/mail-server.js';

let app: TestApp;
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  app = await startTestApp({
    environment: {
      ...FROM_EVERYWHERE,
      SIGNUP: 'open',
      SMTP_URL: mail.url,
      PUBLIC_URL: 'http://documents.example.com',
    },
  });
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

interface ServiceAccount {
  id: string;
  name: string;
  role: string;
  activeKeys: number;
  lastUsedAt: string | null;
}

interface Key {
  id: string;
  key: string;
  createdBy: { id: string; email: string };
  owner: { id: string; name: string; kind: string };
}

/** An account, as one of its members uses it. */
class Account {
  constructor(
    readonly id: string,
    readonly person: SignedInPerson,
  ) {}

  /** The same account, as another member uses it. */
  as(person: SignedInPerson): Account {
    return new Account(this.id, person);
  }

  /** `path` is below the account in the dashboard's API. */
  send(method: string, path: string, body?: object): Promise<ApiResponse> {
    return this.person.browser.send(method, `/accounts/${this.id}${path}`, body);
  }

  newService(role: string, name = 'Website sync'): Promise<ApiResponse> {
    return this.send('POST', '/v1/service-accounts', { name, role });
  }

  async service(role = 'member', name?: string): Promise<ServiceAccount> {
    return expectSuccess(await this.newService(role, name), 201) as ServiceAccount;
  }

  async services(): Promise<ServiceAccount[]> {
    return expectSuccess(
      await this.send('GET', '/v1/service-accounts?limit=100'),
    ) as ServiceAccount[];
  }

  newKey(scopes: string[], serviceAccountId?: string): Promise<ApiResponse> {
    return this.send('POST', '/v1/keys', { name: 'k', scopes, serviceAccountId });
  }

  async key(scopes: string[], serviceAccountId?: string): Promise<Key> {
    return expectSuccess(await this.newKey(scopes, serviceAccountId), 201) as Key;
  }

  async rotated(id: string, body: object = {}): Promise<Key> {
    return expectSuccess(await this.send('POST', `/v1/keys/${id}/rotate`, body), 201) as Key;
  }

  async audit(resourceId: string) {
    const { body } = await this.send('GET', `/v1/audit?limit=100&resourceId=${resourceId}`);
    return body.data as { action: string; actor: { userName: string }; details: object }[];
  }
}

/** Signs up the owner of an account on a plan without limits. */
async function newAccount(): Promise<Account> {
  const owner = await signUpAs(app);
  const sql = `UPDATE accounts SET plan = 'enterprise' WHERE id = $1`;
  await app.dataSource.query(sql, [decodeId('account', owner.accountId)]);
  return new Account(owner.accountId, owner);
}

const reads = (key: string) => app.api(key).listDocuments();
const addressOf = ({ id }: ServiceAccount) => `${id}@service.invalid`;
const send = (key: string, method: string, path: string, body?: object) =>
  app.api(key).send(method, path, { body });

describe('a service account', () => {
  it('a service account has keys that continue when the person who created them is removed', async () => {
    const account = await newAccount();
    const admin = account.as(await join(app, account.id, 'admin'));
    const service = await admin.service();
    expect(service).toMatchObject({ name: 'Website sync', role: 'member', activeKeys: 0 });
    const own = await admin.key(['documents:read']);
    expect(own.owner).toMatchObject({ id: admin.person.user.id, kind: 'person' });
    const key = await admin.key(['documents:read', 'documents:write'], service.id);
    expect(key.owner).toEqual({ id: service.id, name: 'Website sync', kind: 'service' });
    expect(key.createdBy).toMatchObject({ id: service.id, email: addressOf(service) });

    const path = `/members/${admin.person.user.id}?revokeKeys=true`;
    expect((await account.send('DELETE', path)).status).toBe(204);
    expectFailure(await reads(own.key), 401, 'UNAUTHORIZED');
    const made = expectSuccess(await app.api(key.key).createDocument({ title: 'x' }), 201);
    expect(made).toMatchObject({ createdBy: { id: service.id, name: 'Website sync' } });
    const listed = await eventually(
      () => account.services(),
      ([one]) => typeof one?.lastUsedAt === 'string',
    );
    expect(listed).toMatchObject([{ id: service.id, activeKeys: 1 }]);
    expect(expectSuccess(await account.send('GET', `/v1/service-accounts/${service.id}`))).toEqual(
      listed[0],
    );
  });

  it('a service account is not a member: no list, invitation, quota or first step counts it', async () => {
    const account = await newAccount();
    const used = async () => {
      const usage = expectSuccess(await account.send('GET', '/v1/usage'));
      return (usage as { quotas: { members: { used: number } } }).quotas.members.used;
    };
    const before = await used();
    const service = await account.service();
    expect(await used()).toBe(before);
    expect(expectSuccess(await account.send('GET', '/members'))).toMatchObject([
      { userId: account.person.user.id },
    ]);
    expect(expectSuccess(await account.send('GET', '/invitations'))).toEqual([]);
    const { steps } = expectSuccess(await account.send('GET', '/first-steps')) as {
      steps: { id: string; done: boolean }[];
    };
    expect(steps.find(({ id }) => id === 'invite-member')?.done).toBe(false);
    for (const [method, body] of [['PATCH', { role: 'viewer' }], ['DELETE']] as const) {
      const response = await account.send(method, `/members/${service.id}`, body);
      expectFailure(response, 404, 'NOT_FOUND');
    }
  });

  it('a service account cannot sign in, sign up, be invited or get mail, not even by the operator', async () => {
    const account = await newAccount();
    const service = await account.service();
    const email = addressOf(service);
    const browser = newBrowser(app);
    const refused = [
      await browser.signIn(email, newUser().password),
      await browser.send('POST', '/links/password', { email }),
      await browser.send('POST', '/users', { ...newUser(), email }),
      await account.send('POST', '/invitations', { email, role: 'viewer' }),
    ];
    for (const response of refused) {
      expectFailure(response, 400, 'INVALID_REQUEST');
      expect(response.body.error).toMatchObject({ details: { field: 'email' } });
    }
    const { people, operator, unverified } = createServices(
      app.dataSource as TransactionalDataSource,
    );
    const byOperator = [
      people.link(email, true),
      people.resetPassword(email, true, true),
      operator.create({ email, name: 'Taken', plan: 'free', vouch: true }),
      operator.addMember(account.id, email, 'owner', true),
      operator.changeRole(account.id, email, 'owner', true),
      operator.removeMember(account.id, email, true),
    ];
    for (const attempt of byOperator) {
      await expect(attempt).rejects.toThrow('is the address of a service account');
    }
    await expect(operator.changeRole(account.id, service.id, 'owner', true)).rejects.toThrow(
      'There is no such member',
    );
    await unverified.require(email, true);
    expect((await people.list()).some((user) => user.email === email)).toBe(false);
    expect(await account.services()).toEqual([service]);
    expect(mail.messages).toEqual([]);
  });

  it('a service account has no role, and its keys no scopes, that the caller does not have', async () => {
    const account = await newAccount();
    const scopes = ['documents:read', 'keys:read', 'keys:write'];
    const { key } = await account.key(scopes);
    const service = await account.service('admin');
    const path = `/v1/service-accounts/${service.id}`;
    for (const response of [
      await send(key, 'POST', '/v1/service-accounts', { name: 'Robot', role: 'admin' }),
      await send(key, 'PATCH', path, { name: 'Renamed' }),
      await send(key, 'PATCH', path, { role: 'viewer' }),
      await send(key, 'DELETE', path),
      await send(key, 'POST', '/v1/keys', {
        name: 'k',
        scopes: ['documents:write'],
        serviceAccountId: service.id,
      }),
    ]) {
      expectFailure(response, 403, 'FORBIDDEN');
    }
    expectFailure(await account.newService('owner'), 400, 'INVALID_REQUEST');
    const viewer = account.as(await join(app, account.id, 'viewer'));
    expectFailure(await viewer.newService('viewer'), 403, 'FORBIDDEN');
    expectFailure(await viewer.send('GET', '/v1/service-accounts'), 403, 'FORBIDDEN');
    expect(await account.services()).toMatchObject([{ name: 'Website sync', role: 'admin' }]);

    const member = await account.service('member');
    const beyond = await account.newKey(['documents:read', 'webhooks:write'], member.id);
    expectFailure(beyond, 400, 'INVALID_REQUEST');
    expect(JSON.stringify(beyond.body)).toContain('lacks the scopes webhooks:write');
  });

  it('a service account of another account, a person and an unknown ID own no key', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    const foreign = await other.service();
    for (const id of [foreign.id, account.person.user.id, 'user_unknown', 'x']) {
      const response = await account.newKey(['documents:read'], id);
      expectFailure(response, 400, 'INVALID_REQUEST');
      expect(response.body.error).toMatchObject({ details: { field: 'serviceAccountId' } });
    }
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      for (const id of [foreign.id, account.person.user.id, 'user_unknown']) {
        const response = await account.send(method, `/v1/service-accounts/${id}`);
        expectFailure(response, 404, 'NOT_FOUND');
      }
    }
  });

  it('a service account gets another role or name, effective from the next request of its keys', async () => {
    const account = await newAccount();
    const service = await account.service('member');
    const { key } = await account.key(['documents:read', 'documents:write'], service.id);
    const path = `/v1/service-accounts/${service.id}`;
    const change = async (body: object) => expectSuccess(await account.send('PATCH', path, body));
    expect(await change({ role: 'viewer', name: 'Reader' })).toMatchObject({
      role: 'viewer',
      name: 'Reader',
    });
    expectFailure(await app.api(key).createDocument({ title: 'x' }), 403, 'FORBIDDEN');
    expectSuccess(await reads(key));
    await change({ role: 'member' });
    await change({ role: 'member' });
    expectSuccess(await app.api(key).createDocument({ title: 'x' }), 201);
    expect((await account.audit(service.id)).map(({ action }) => action)).toEqual([
      'user.update_role',
      'user.update_role',
      'user.rename',
      'user.join',
    ]);
  });

  it('a service account is no way up for an admin who is demoted while a request waits', async () => {
    const account = await newAccount();
    const admin = account.as(await join(app, account.id, 'admin'));
    const service = await account.service('viewer');
    const key = await account.key(['documents:read'], service.id);
    const runner = app.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [
      decodeId('account', account.id),
    ]);
    const attempts = [
      admin.newService('admin'),
      admin.send('PATCH', `/v1/service-accounts/${service.id}`, { role: 'admin' }),
      admin.newKey(['documents:read'], service.id),
      admin.send('POST', `/v1/keys/${key.id}/rotate`, {}),
    ];
    await eventually(
      async () => {
        const [row] = await app.dataSource.query<[{ n: number }]>(
          `SELECT count(*)::integer AS n FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%accounts%'`,
        );
        return row.n;
      },
      (waiting) => waiting === attempts.length,
    );
    await runner.query(
      `UPDATE members SET role = 'member' WHERE account_id = $1 AND user_id = $2`,
      [decodeId('account', account.id), decodeId('user', admin.person.user.id)],
    );
    await runner.commitTransaction();
    await runner.release();
    for (const response of await Promise.all(attempts)) expectFailure(response, 403, 'FORBIDDEN');
    expect(await account.services()).toMatchObject([{ role: 'viewer', activeKeys: 1 }]);
  });

  it('a service account takes over the key of a person by a rotation, and keeps it at the next ones', async () => {
    const account = await newAccount();
    const admin = account.as(await join(app, account.id, 'admin'));
    const service = await account.service();
    const old = await admin.key(['documents:read']);
    const moved = await account.rotated(old.id, { serviceAccountId: service.id });
    expect(moved.owner).toMatchObject({ id: service.id, kind: 'service' });
    expect((await account.send('DELETE', `/members/${admin.person.user.id}`)).status).toBe(204);
    expectFailure(await reads(old.key), 401, 'UNAUTHORIZED');
    expectSuccess(await reads(moved.key));
    const next = await account.rotated(moved.id);
    expect(next.owner).toEqual(moved.owner);
    const all = await account.key(['*']);
    const refused = await account.send('POST', `/v1/keys/${all.id}/rotate`, {
      serviceAccountId: service.id,
    });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expectSuccess(await reads(all.key));
  });

  it('a service account owns the keys that its own keys create', async () => {
    const account = await newAccount();
    const service = await account.service('admin');
    const { key } = await account.key(['keys:write', 'documents:read'], service.id);
    const body = { name: 'child', scopes: ['documents:read'] };
    const child = expectSuccess(await send(key, 'POST', '/v1/keys', body), 201) as Key;
    expect(child.owner).toEqual({ id: service.id, name: 'Website sync', kind: 'service' });
  });

  it('a service account that is deleted loses its keys, and its documents keep its name', async () => {
    const account = await newAccount();
    const service = await account.service();
    const key = await account.key(['documents:read', 'documents:write'], service.id);
    const { id } = expectSuccess(await app.api(key.key).createDocument({ title: 'x' }), 201) as {
      id: string;
    };
    const path = `/v1/service-accounts/${service.id}`;
    expectSuccess(await account.send('DELETE', path));
    expectFailure(await account.send('DELETE', path), 404, 'NOT_FOUND');
    expectFailure(await reads(key.key), 401, 'UNAUTHORIZED');
    expect(await account.services()).toEqual([]);
    expect(expectSuccess(await account.send('GET', `/v1/documents/${id}`))).toMatchObject({
      createdBy: { id: service.id, name: 'Website sync' },
    });
    const listed = expectSuccess(await account.send('GET', '/v1/keys')) as Key[];
    expect(listed[0]).toMatchObject({ id: key.id, owner: { name: 'Website sync' } });
    expect((await account.audit(id))[0]).toMatchObject({
      action: 'document.create',
      actor: { userName: 'Website sync' },
    });
    expect(await account.audit(service.id)).toMatchObject([
      { action: 'user.remove', details: { kind: 'service', role: 'member' } },
      { action: 'user.join', details: { kind: 'service', role: 'member' } },
    ]);
  });

  it('the 51st service account is refused, also if 60 are created at once', async () => {
    const account = await newAccount();
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        whileBusy(() => account.newService('viewer', `Robot ${String(index)}`)),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(50);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expectFailure(response, 409, 'INVALID_REQUEST');
    }
    expect(await account.services()).toHaveLength(50);
  });

  it('service accounts are removed with their account', async () => {
    const account = await newAccount();
    const service = await account.service();
    await account.key(['documents:read'], service.id);
    const { name } = expectSuccess(await account.send('GET', '')) as { name: string };
    expect((await account.send('DELETE', '', { name })).status).toBe(204);
    const sql = 'SELECT FROM users WHERE id = $1';
    expect(await app.dataSource.query(sql, [decodeId('user', service.id)])).toEqual([]);
  });
});
