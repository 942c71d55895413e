import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser, newUser } from '../support/browser.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startService, type ServiceProcess } from '../support/service-process.js';

/** Three starts, each with a database. */
jest.setTimeout(240_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-run-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a service like `npm start`, and returns what it prints about the dashboard. */
async function started(): Promise<{ service: ServiceProcess; dashboard: string }> {
  const service = await startService({
    NODE_ENV: '',
    EMBEDDED_DATABASE: '',
    DATA_DIR: folder,
  });
  const dashboard = await eventually(
    () => /^ {2}Dashboard {2}(\S+)$/m.exec(service.output())?.[1] ?? '',
  );
  return { service, dashboard };
}

const tokenOf = (link: string) => link.split('#')[1] ?? '';

it('the first run needs no settings, prints a key once, and prints a new link on each start until one was used', async () => {
  const first = await started();
  expect(first.service.output()).toMatch(/^ {2}API key {4}ds_live_/m);
  const page = `http://localhost:${String(first.service.port)}/dashboard/`;
  expect(first.dashboard).toMatch(new RegExp(`^${page}welcome#[\\w-]{43}$`));
  await first.service.end();

  const second = await started();
  expect(second.service.output()).not.toContain('ds_live_');
  expect(tokenOf(second.dashboard)).toMatch(/^[\w-]{43}$/);
  const browser = new Browser(second.service.origin);
  const old = await browser.send('POST', '/links/preview', { token: tokenOf(first.dashboard) });
  expect(old.status).toBe(404);
  expect(old.body).toMatchObject({ error: { details: { code: 'revoked' } } });
  const token = tokenOf(second.dashboard);
  const user = newUser();
  expectSuccess(await browser.send('POST', '/links/use', { token, ...user }), 201);
  const { accounts } = await browser.state();
  expect(accounts).toMatchObject([{ name: user.name, plan: 'pro', role: 'owner' }]);
  await second.service.end();

  const third = await started();
  expect(third.dashboard).toBe(`http://localhost:${String(third.service.port)}/dashboard/`);
  const again = new Browser(third.service.origin);
  expectSuccess(await again.signIn(user.email, user.password), 201);
  await third.service.end();
});
