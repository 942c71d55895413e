import type { Role } from '../../src/features/auth/roles.js';
import { decodeId, encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import {
  FROM_EVERYWHERE,
  join,
  newBrowser,
  signUpAs,
  type SignedInPerson,
} from '../dashboard/people.js';
import { write as writeRequests } from '../requests/request-log.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newUser } from '../support/browser.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { ...FROM_EVERYWHERE, PROCESS_ROLE: 'all' } });
});
afterAll(() => app.close());

interface Member {
  userId: string;
  role: Role;
  isYou: boolean;
}

const members = async ({ browser }: SignedInPerson, accountId: string) =>
  expectSuccess(await browser.send('GET', `/accounts/${accountId}/members`)) as Member[];
const change = ({ browser }: SignedInPerson, accountId: string, of: SignedInPerson, role: Role) =>
  browser.send('PATCH', `/accounts/${accountId}/members/${of.user.id}`, { role });
const remove = ({ browser }: SignedInPerson, accountId: string, of: SignedInPerson, query = '') =>
  browser.send('DELETE', `/accounts/${accountId}/members/${of.user.id}${query}`);
const invite = (
  { browser }: SignedInPerson,
  accountId: string,
  email: string,
  role: Role = 'member',
) => browser.send('POST', `/accounts/${accountId}/invitations`, { email, role });
const actions = async ({ browser }: SignedInPerson, accountId: string) => {
  const { body } = await browser.send('GET', `/accounts/${accountId}/v1/audit?limit=100`);
  return (body.data as { action: string }[]).map(({ action }) => action);
};

/** Creates an account with one member of each role. */
async function team() {
  const owner = await signUpAs(app);
  const { accountId } = owner;
  const [admin, member, viewer] = [
    await join(app, accountId, 'admin'),
    await join(app, accountId, 'member'),
    await join(app, accountId, 'viewer'),
  ];
  return { accountId, owner, admin, member, viewer };
}

describe('the members of an account', () => {
  it('the members of an account are listed to all of them, highest role first', async () => {
    const { accountId, owner, viewer } = await team();
    const list = await members(viewer, accountId);
    expect(list.map(({ role }) => role)).toEqual(['owner', 'admin', 'member', 'viewer']);
    expect(list.find(({ isYou }) => isYou)?.userId).toBe(viewer.user.id);
    expect(list[0]).toMatchObject({
      userId: owner.user.id,
      email: owner.user.email,
      twoFactor: false,
    });
    expect(list[0]).toHaveProperty('lastSeenAt', expect.any(String));
  });

  it('the members of an account get another role from members above them, effective from the next request', async () => {
    const { accountId, owner, admin, member, viewer } = await team();
    const documents = () =>
      viewer.browser.send('POST', `/accounts/${accountId}/v1/documents`, { title: 'x' });
    expectFailure(await documents(), 403, 'FORBIDDEN');
    expect(expectSuccess(await change(admin, accountId, viewer, 'member'))).toMatchObject({
      role: 'member',
    });
    expectSuccess(await documents(), 201);
    for (const [who, whom, role] of [
      [admin, member, 'admin'],
      [admin, member, 'owner'],
      [admin, owner, 'viewer'],
      [admin, admin, 'owner'],
      [member, viewer, 'viewer'],
      [member, member, 'admin'],
    ] as const)
      expectFailure(await change(who, accountId, whom, role), 403, 'FORBIDDEN');
    expectFailure(
      await change(owner, accountId, member, 'emperor' as Role),
      400,
      'INVALID_REQUEST',
    );
    expectSuccess(await change(owner, accountId, member, 'owner'));
    expectSuccess(await change(owner, accountId, owner, 'viewer'));
    expectFailure(await change(owner, accountId, member, 'viewer'), 403, 'FORBIDDEN');
    expect(await actions(member, accountId)).toContain('user.update_role');
  });

  it('the members of an account always include an owner, even when two requests race', async () => {
    const owner = await signUpAs(app);
    const { accountId } = owner;
    for (const response of [
      await change(owner, accountId, owner, 'admin'),
      await remove(owner, accountId, owner),
    ]) {
      expectFailure(response, 409, 'INVALID_REQUEST');
      expect(response.body.error.message).toContain('only owner');
    }
    for (let round = 0; round < 5; round += 1) {
      const other = await join(app, accountId, 'owner');
      const [left] = (await members(owner, accountId)).filter(({ role }) => role === 'owner');
      expect(left).toBeDefined();
      const responses = await Promise.all([
        round % 2 === 0
          ? remove(owner, accountId, owner)
          : change(owner, accountId, owner, 'viewer'),
        remove(other, accountId, other),
      ]);
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 409)).toHaveLength(1);
      const { accountId: id } = owner;
      const [{ count } = { count: 0 }] = await app.dataSource.query<{ count: number }[]>(
        `SELECT count(*)::integer AS count FROM members WHERE account_id = $1 AND role = 'owner'`,
        [decodeId('account', id)],
      );
      expect(count).toBe(1);
      // Restores the initial state for the next round.
      await app.dataSource.query('DELETE FROM members WHERE account_id = $1', [
        decodeId('account', id),
      ]);
      await app.dataSource.query(
        `INSERT INTO members (account_id, user_id, role, created_at) VALUES ($1, $2, 'owner', now())`,
        [decodeId('account', id), decodeId('user', owner.user.id)],
      );
    }
  });

  it('the members of an account who demote each other at once do not leave it without an owner', async () => {
    const owner = await signUpAs(app);
    const other = await join(app, owner.accountId, 'owner');
    const responses = await Promise.all([
      change(owner, owner.accountId, other, 'viewer'),
      change(other, owner.accountId, owner, 'viewer'),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it('the members of an account who are removed lose their access to the account, and so do their keys, revoked or not', async () => {
    const { accountId, owner, admin, member } = await team();
    const makeKey = async ({ browser }: SignedInPerson) => {
      const made = await browser.send('POST', `/accounts/${accountId}/v1/keys`, {
        name: 'Build server',
        scopes: ['documents:read'],
      });
      return (expectSuccess(made, 201) as { key: string }).key;
    };
    const second = await join(app, accountId, 'admin');
    const [kept, revoked] = [await makeKey(second), await makeKey(admin)];
    expectFailure(await remove(admin, accountId, second), 403, 'FORBIDDEN');
    expectFailure(await remove(member, accountId, admin), 403, 'FORBIDDEN');
    expect((await remove(owner, accountId, second)).status).toBe(204);
    expect((await remove(owner, accountId, admin, '?revokeKeys=true')).status).toBe(204);
    const refused = await app.api(kept).listDocuments();
    expectFailure(refused, 401, 'UNAUTHORIZED');
    expect(refused.body.error.message).toMatch(/who created this API key no longer belongs/);
    expectFailure(await app.api(revoked).listDocuments(), 401, 'UNAUTHORIZED');
    expectFailure(
      await admin.browser.send('GET', `/accounts/${accountId}/v1/documents`),
      404,
      'NOT_FOUND',
    );
    // They own other accounts, where they stay signed in.
    expectSuccess(await admin.browser.send('GET', `/accounts/${admin.accountId}/v1/documents`));
    expectFailure(await remove(owner, accountId, admin), 404, 'NOT_FOUND');
    expectFailure(
      await remove(owner, accountId, member, '?revokeKeys=perhaps'),
      400,
      'INVALID_REQUEST',
    );
    const log = await actions(owner, accountId);
    expect(log.filter((action) => action === 'user.remove')).toHaveLength(2);
    expect(log.filter((action) => action === 'key.revoke')).toHaveLength(1);
  });

  it('the members of an account who belong to no other account are signed out when they are removed', async () => {
    const owner = await signUpAs(app);
    const issued = expectSuccess(await invite(owner, owner.accountId, newUser().email), 201) as {
      link: string;
    };
    const guest = newBrowser(app);
    const body = {
      token: issued.link.split('#')[1],
      name: 'Guest',
      password: 'correct horse battery',
    };
    const joined = expectSuccess(await guest.send('POST', '/links/use', body), 201) as {
      user: { id: string };
    };
    const path = `/accounts/${owner.accountId}/members/${joined.user.id}`;
    expect((await owner.browser.send('DELETE', path)).status).toBe(204);
    expect((await guest.state()).user).toBeNull();
  });

  it('the members of an account can leave on their own, whatever their role', async () => {
    const { accountId, owner, viewer } = await team();
    expect((await remove(viewer, accountId, viewer)).status).toBe(204);
    expectFailure(
      await viewer.browser.send('GET', `/accounts/${accountId}/members`),
      404,
      'NOT_FOUND',
    );
    expect(await actions(owner, accountId)).toContain('user.leave');
  });
});

describe('invitations', () => {
  it('invitations add a person with a link that works once, in its role', async () => {
    const owner = await signUpAs(app);
    const user = newUser();
    const response = await invite(owner, owner.accountId, user.email.toUpperCase(), 'admin');
    const { link, ...invitation } = expectSuccess(response, 201) as { id: string; link: string };
    expect(invitation).toMatchObject({
      email: user.email,
      role: 'admin',
      invitedBy: owner.user.name,
    });
    expect(link).toMatch(new RegExp(`^${app.origin}/dashboard/invitation#[\\w-]{20,}$`));
    const listed = await owner.browser.send('GET', `/accounts/${owner.accountId}/invitations`);
    expect(listed.body.data).toEqual([invitation]);
    expect(listed.text).not.toContain(link.split('#')[1]);
    const guest = newBrowser(app);
    const token = link.split('#')[1];
    expectSuccess(
      await guest.send('POST', '/links/use', { token, name: 'Guest', password: user.password }),
      201,
    );
    expectSuccess(await guest.send('GET', `/accounts/${owner.accountId}/v1/keys`));
    const again = await guest.send('POST', '/links/use', {
      token,
      name: 'Guest',
      password: user.password,
    });
    expectFailure(again, 404, 'NOT_FOUND');
    expect(again.body.error.details.code).toBe('used');
    expect(await actions(owner, owner.accountId)).toEqual(
      expect.arrayContaining(['invitation.create', 'user.join']),
    );
    expectFailure(await invite(owner, owner.accountId, user.email), 409, 'INVALID_REQUEST');
  });

  it('invitations end when they are revoked, or replaced by a new link', async () => {
    const owner = await signUpAs(app);
    const { id, link } = expectSuccess(
      await invite(owner, owner.accountId, newUser().email),
      201,
    ) as {
      id: string;
      link: string;
    };
    const preview = (one: string) =>
      newBrowser(app).send('POST', '/links/preview', { token: one.split('#')[1] });
    const path = `/accounts/${owner.accountId}/invitations/${id}`;
    const renewed = expectSuccess(await owner.browser.send('POST', `${path}/link`), 201) as {
      link: string;
    };
    expect((await preview(link)).body.error.details.code).toBe('revoked');
    expectSuccess(await preview(renewed.link));
    expect((await owner.browser.send('DELETE', path)).status).toBe(204);
    expect((await preview(renewed.link)).body.error.details.code).toBe('revoked');
    expectFailure(await owner.browser.send('DELETE', path), 404, 'NOT_FOUND');
    expectFailure(await owner.browser.send('POST', `${path}/link`), 404, 'NOT_FOUND');
  });

  it('invitations end with the membership of their creator, or with the role that it requires', async () => {
    const { accountId, owner, admin } = await team();
    await app.dataSource.query(`UPDATE accounts SET plan = 'pro' WHERE id = $1`, [
      decodeId('account', accountId),
    ]);
    const second = await join(app, accountId, 'owner');
    const linkOf = async (by: SignedInPerson, role: Role) => {
      const issued = expectSuccess(await invite(by, accountId, newUser().email, role), 201);
      return (issued as { link: string }).link;
    };
    const codeOf = async (link: string) => {
      const token = link.split('#')[1];
      const { status, body } = await newBrowser(app).send('POST', '/links/preview', { token });
      return status === 200 ? 'good' : (body.error.details.code as string);
    };
    const byAdmin = await linkOf(admin, 'member');
    const byOwner = await linkOf(owner, 'member');
    const [asAdmin, asMember] = [await linkOf(second, 'admin'), await linkOf(second, 'member')];
    // Anyone who copied the link could return with it.
    expect((await remove(owner, accountId, admin)).status).toBe(204);
    expect(await codeOf(byAdmin)).toBe('revoked');
    expectSuccess(await change(owner, accountId, second, 'admin'));
    expect(await codeOf(asAdmin)).toBe('revoked');
    expect(await codeOf(asMember)).toBe('good');
    expectSuccess(await change(owner, accountId, second, 'viewer'));
    expect(await codeOf(asMember)).toBe('revoked');
    expect(await codeOf(byOwner)).toBe('good');
  });

  it('invitations can be created by members who can grant the role, for an address that is not a member yet', async () => {
    const { accountId, owner, admin, member, viewer } = await team();
    await app.dataSource.query(`UPDATE accounts SET plan = 'pro' WHERE id = $1`, [
      decodeId('account', accountId),
    ]);
    expectSuccess(await invite(admin, accountId, newUser().email, 'viewer'), 201);
    for (const role of ['admin', 'owner'] as const)
      expectFailure(await invite(admin, accountId, newUser().email, role), 403, 'FORBIDDEN');
    for (const who of [member, viewer])
      expectFailure(await invite(who, accountId, newUser().email, 'viewer'), 403, 'FORBIDDEN');
    const { email } = newUser();
    const byOwner = expectSuccess(await invite(owner, accountId, email, 'owner'), 201) as {
      id: string;
    };
    expectFailure(await invite(owner, accountId, email, 'viewer'), 409, 'INVALID_REQUEST');
    expectFailure(await invite(owner, accountId, 'no address'), 400, 'INVALID_REQUEST');
    const path = `/accounts/${accountId}/invitations/${byOwner.id}`;
    expectFailure(await admin.browser.send('POST', `${path}/link`), 403, 'FORBIDDEN');
    expectFailure(await admin.browser.send('DELETE', path), 403, 'FORBIDDEN');
    const stranger = await signUpAs(app);
    expectFailure(
      await stranger.browser.send(
        'DELETE',
        `/accounts/${stranger.accountId}/invitations/${byOwner.id}`,
      ),
      404,
      'NOT_FOUND',
    );
  });

  it('invitations count against the quota exactly, even when many are created at once', async () => {
    const owner = await signUpAs(app);
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => invite(owner, owner.accountId, newUser().email)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403, 403]);
    const refused = responses.find(({ status }) => status === 403);
    expect(refused?.body.error.details).toMatchObject({ quota: 'members', limit: 3, used: 3 });
    const { body } = await owner.browser.send('GET', `/accounts/${owner.accountId}/v1/usage`);
    expect(body.data.quotas.members).toEqual({ limit: 3, used: 3, remaining: 0 });
    const { body: list } = await owner.browser.send(
      'GET',
      `/accounts/${owner.accountId}/invitations`,
    );
    await owner.browser.send(
      'DELETE',
      `/accounts/${owner.accountId}/invitations/${String(list.data[0].id)}`,
    );
    expectSuccess(await invite(owner, owner.accountId, newUser().email), 201);
  });
});

describe('an account', () => {
  it('an account shows its name, plan, retention and the limits of all plans; an owner can rename it', async () => {
    const { accountId, owner, viewer } = await team();
    const path = `/accounts/${accountId}`;
    const account = expectSuccess(await viewer.browser.send('GET', path));
    expect(account).toMatchObject({
      id: accountId,
      plan: 'free',
      role: 'viewer',
      retention: { events: 30, deliveries: 30, trash: 30 },
    });
    const { plans } = account as { plans: { plan: string; windows: object; quotas: object }[] };
    expect(plans.map(({ plan }) => plan)).toEqual(['free', 'plus', 'pro', 'enterprise']);
    expect(plans[0]).toMatchObject({
      windows: { minute: 10, hour: 100, day: 1000 },
      quotas: { members: 3 },
    });
    expect(plans[3]?.windows).toEqual({ minute: null, hour: null, day: null });
    const renamed = await owner.browser.send('PATCH', path, { name: '  <b>Engines</b> ' });
    expect(expectSuccess(renamed)).toMatchObject({ name: '<b>Engines</b>' });
    for (const name of [' ', 'two\nlines', '\u001b[2J'])
      expectFailure(await owner.browser.send('PATCH', path, { name }), 400, 'INVALID_REQUEST');
    expect(await actions(owner, accountId)).toContain('account.update');
  });

  it('an account is deleted by typing its name, with everything in it', async () => {
    const { accountId, owner, admin } = await team();
    const id = decodeId('account', accountId);
    const v1 = `/accounts/${accountId}/v1`;
    await owner.browser.send('POST', `${v1}/documents`, {
      title: 'Plan',
      content: 'x '.repeat(100),
    });
    await owner.browser.send('POST', `${v1}/webhooks`, {
      url: 'https://example.com/',
      events: ['*'],
    });
    await owner.browser.send('POST', `${v1}/documents`, { title: 'Another' });
    const rules = [{ checks: { openSuggestions: 0 } }];
    expectSuccess(await owner.browser.send('PUT', `${v1}/publishing`, { enabled: true, rules }));
    const published = expectSuccess(
      await owner.browser.send('POST', `${v1}/documents`, {
        title: 'Live',
        metadata: { tags: ['shown'] },
      }),
      201,
    ) as { id: string };
    const live = `${v1}/documents/${published.id}`;
    expectSuccess(await owner.browser.send('POST', `${live}/publish`, {}));
    expectSuccess(await owner.browser.send('PATCH', live, { content: 'Draft.' }));
    const publishAt = new Date(app.clock.now().getTime() + 60_000).toISOString();
    expectSuccess(await owner.browser.send('PUT', `${live}/schedule`, { publishAt }));
    const key = (
      expectSuccess(
        await owner.browser.send('POST', `${v1}/keys`, { name: 'x', scopes: ['*'] }),
        201,
      ) as { key: string }
    ).key;
    expectSuccess(await app.api(key).listDocuments());
    const path = `/accounts/${accountId}`;
    const { name } = expectSuccess(await owner.browser.send('GET', path)) as { name: string };
    for (const wrong of [`${name} `, name.toUpperCase(), ''])
      expectFailure(
        await owner.browser.send('DELETE', path, { name: wrong }),
        400,
        'INVALID_REQUEST',
      );
    expectFailure(await owner.browser.send('DELETE', path), 400, 'INVALID_REQUEST');
    expectFailure(await admin.browser.send('DELETE', path, { name }), 403, 'FORBIDDEN');
    expect((await owner.browser.send('DELETE', path, { name })).status).toBe(204);
    expectFailure(await app.api(key).listDocuments(), 401, 'UNAUTHORIZED');
    expectFailure(await owner.browser.send('GET', path), 404, 'NOT_FOUND');
    expect((await owner.browser.state()).accounts).toEqual([]);
    await writeRequests(app);
    await app.app.get(BackgroundTasks, { strict: false }).runAll();
    const tables = await app.dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'account_id'
          AND table_schema = current_schema() AND table_name NOT IN ('audit_log', 'deleted_accounts')`,
    );
    expect(tables.length).toBeGreaterThan(15);
    for (const table of tables) {
      const rows = await app.dataSource.query<unknown[]>(
        `SELECT FROM ${table.name} WHERE account_id = $1`,
        [id],
      );
      expect([table.name, rows.length]).toEqual([table.name, 0]);
    }
    const [entry] = await app.dataSource.query<{ action: string }[]>(
      `SELECT action FROM audit_log WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1`,
      [id],
    );
    expect(entry?.action).toBe('account.delete');
  });

  it('an account shows first steps to new users until someone dismisses them', async () => {
    const owner = await signUpAs(app);
    const v1 = `/accounts/${owner.accountId}/v1`;
    const done = async () => {
      const response = await owner.browser.send('GET', `/accounts/${owner.accountId}/first-steps`);
      const { steps } = expectSuccess(response) as { steps: { id: string; done: boolean }[] };
      return steps.filter((step) => step.done).map((step) => step.id);
    };
    expect(await done()).toEqual([]);
    const made = await owner.browser.send('POST', `${v1}/keys`, { name: 'x', scopes: ['*'] });
    expect(await done()).toEqual(['create-key']);
    await app.api(String(made.body.data.key)).createDocument({ title: 'First' });
    // The use of a key is stored together with its request.
    const steps = await eventually(done, (ids) => ids.includes('send-request'));
    expect(steps).toEqual(['create-document', 'create-key', 'send-request']);
    await owner.browser.send('POST', `${v1}/webhooks`, {
      url: 'https://example.com/',
      events: ['*'],
    });
    expect(await done()).toContain('create-webhook');
    const text = { content: 'We recieve it.' };
    // 202 while the engine loads.
    expect((await owner.browser.send('POST', `${v1}/analyze`, text)).status).toBeLessThan(300);
    await eventually(done, (ids) => ids.includes('check-text'));
    const invitation = { email: newUser().email, role: 'viewer' };
    const invitations = `/accounts/${owner.accountId}/invitations`;
    expectSuccess(await owner.browser.send('POST', invitations, invitation), 201);
    expect(await done()).toContain('invite-member');
    const path = `/accounts/${owner.accountId}/first-steps/dismiss`;
    const dismissed = expectSuccess(await owner.browser.send('POST', path)) as {
      dismissedAt: string;
    };
    expect(dismissed.dismissedAt).toEqual(expect.any(String));
    expect(expectSuccess(await owner.browser.send('POST', path))).toEqual(dismissed);
  });
});

describe('the caller', () => {
  it('the caller is visible to every key, whatever its scopes: the key, its creator, account, plan and windows', async () => {
    const account = await app.account({ plan: 'plus' });
    const restriction = {
      scopes: ['events:read' as const],
      expiresAt: new Date('2030-01-31T00:00:00Z'),
      allowedIps: ['127.0.0.0/8'],
    };
    const { key, keyId } = await app.anotherKey(account, restriction);
    const response = await app.api(key).send('GET', '/v1/me');
    const me = expectSuccess(response) as { account: { id: string } };
    expect(me).toMatchObject({
      kind: 'key',
      key: {
        id: encodeId('key', keyId),
        scopes: ['events:read'],
        expiresAt: '2030-01-31T00:00:00.000Z',
        revokedAt: null,
        allowedIps: ['127.0.0.0/8'],
        createdBy: account.user,
      },
      user: account.user,
      role: null,
      scopes: ['events:read'],
      account: {
        id: encodeId('account', account.accountId),
        name: 'Ada Lovelace',
        plan: 'plus',
        windows: { minute: 60, hour: 1_000, day: 10_000 },
      },
    });
    expect(response.text).not.toContain(key);
    expect(response.headers['x-ratelimit-remaining']).toBe('59');
    expectFailure(await app.api().send('GET', '/v1/me'), 401, 'UNAUTHORIZED');
  });

  it('the caller is the person with their role in the dashboard', async () => {
    const { accountId, viewer, owner } = await team();
    const path = `/accounts/${accountId}/v1/me`;
    expect(expectSuccess(await viewer.browser.send('GET', path))).toMatchObject({
      kind: 'person',
      key: null,
      user: { id: viewer.user.id, email: viewer.user.email },
      role: 'viewer',
      scopes: expect.arrayContaining(['documents:read']) as string[],
      account: { id: accountId },
    });
    expect(expectSuccess(await owner.browser.send('GET', path))).toMatchObject({
      role: 'owner',
      scopes: ['*'],
    });
  });
});

describe('the account of a key', () => {
  it('the account of a key is read with its plan, its limits and its retention periods', async () => {
    const { accountId, key } = await app.account({ plan: 'free', scopes: ['usage:read'] });
    const account = expectSuccess(await app.api(key).send('GET', '/v1/account'));
    expect(account).toMatchObject({
      id: encodeId('account', accountId),
      name: 'Ada Lovelace',
      plan: 'free',
      windows: { minute: 10, hour: 100, day: 1_000 },
      quotas: { documents: 1_000, webhooks: 5 },
      retention: { events: 30, trash: 30, audit: null },
      createdAt: expect.any(String) as string,
    });
    const forbidden = await app.api(key).send('PATCH', '/v1/account', { body: { name: 'x' } });
    expectFailure(forbidden, 403, 'FORBIDDEN');
    expect(forbidden.body.error.details.requiredScopes).toEqual(['*']);
  });

  it('the account of a key has its own limits on Enterprise', async () => {
    const { accountId, api } = await app.account({ plan: 'enterprise' });
    await app.dataSource.query('UPDATE accounts SET minute_limit = 7000 WHERE id = $1', [
      accountId,
    ]);
    const windows = { minute: 7_000, hour: null, day: null };
    expect(expectSuccess(await api.send('GET', '/v1/account'))).toMatchObject({ windows });
    expect(expectSuccess(await api.send('GET', '/v1/me'))).toMatchObject({ account: { windows } });
  });

  it('the account of a key is renamed by a key with all scopes, with an audit entry, and by no other key', async () => {
    const { api } = await app.account();
    const patch = (body: unknown) => api.send('PATCH', '/v1/account', { body });
    const before = expectSuccess(await api.send('GET', '/v1/account')) as object;
    expect(expectSuccess(await patch(before))).toEqual(before);
    expect(expectSuccess(await patch({}))).toEqual(before);
    const after = { ...before, name: 'Analytical Engines' };
    expect(expectSuccess(await patch({ name: ' Analytical Engines ' }))).toEqual(after);
    expect(expectSuccess(await patch({ ...after, plan: 'enterprise' }))).toEqual(after);
    for (const name of ['', ' ', 'two\nlines', 'x'.repeat(201), null, 7]) {
      expectFailure(await patch({ name }), 400, 'INVALID_REQUEST');
    }
    expectFailure(await patch({ nam: 'x' }), 400, 'INVALID_REQUEST');
    expect(expectSuccess(await api.send('GET', '/v1/account'))).toEqual(after);
    const { body } = await api.send('GET', '/v1/audit?action=account.update');
    expect(body.data).toMatchObject([{ details: { changes: ['name'] } }]);
  });

  it('the account of a key is renamed in the dashboard by its owner, in both places', async () => {
    const { accountId, owner, admin } = await team();
    const path = `/accounts/${accountId}/v1/account`;
    expectFailure(await admin.browser.send('PATCH', path, { name: 'x' }), 403, 'FORBIDDEN');
    expect(expectSuccess(await owner.browser.send('PATCH', path, { name: 'By v1' }))).toMatchObject(
      { name: 'By v1' },
    );
    expect(expectSuccess(await admin.browser.send('GET', `/accounts/${accountId}`))).toMatchObject({
      name: 'By v1',
      role: 'admin',
    });
  });
});
