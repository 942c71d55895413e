import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { Browser, newUser } from '../support/browser.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [BackgroundTasksModule] });
});
afterAll(() => app.close());

const DAY_MS = 24 * 60 * 60 * 1000;

async function kept(table: string): Promise<number> {
  const rows: unknown[] = await app.dataSource.query(`SELECT 1 FROM ${table}`);
  return rows.length;
}

it('retention removes unused sessions and attempts that no longer count', async () => {
  const user = newUser();
  await new Browser(app.origin).signUp(user);
  app.clock.advance(6 * DAY_MS);
  const browser = new Browser(app.origin);
  await browser.signIn(user.email, 'wrong password');
  await browser.signIn(user.email, user.password);
  expect([await kept('sessions'), (await kept('sign_in_attempts')) > 0]).toEqual([2, true]);
  app.clock.advance(DAY_MS);
  await app.app.get(BackgroundTasks, { strict: false }).runAll();
  expect([await kept('sessions'), await kept('sign_in_attempts')]).toEqual([1, 0]);
  expect((await browser.state()).user?.email).toBe(user.email);
});
