import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { Clock } from '../../src/platform/basics/clock/clock.js';
import { Config, readEnvironment } from '../../src/platform/config/config.js';
import { configureApp, serviceModule } from '../../src/entrypoints/boot/configure-app.js';
import { HttpAdapter } from '../../src/platform/http/server/http-adapter.js';
import { placeUnknownRoutesLast } from '../../src/entrypoints/boot/unknown-routes.controller.js';
import { makeAccount, makeKey, type AccountOptions, type TestAccount } from './accounts.js';
import { ApiClient } from './api-client.js';
import { createTestDatabase } from './postgres.js';
import { TestClock } from './test-clock.js';

export interface TestApp {
  origin: string;
  port: number;
  clock: TestClock;
  app: NestExpressApplication;
  /** For reading the database, never for doing what the product does. */
  dataSource: DataSource;
  /** A client with this key, or without a key. */
  api(key?: string): ApiClient;
  /** Creates an account (Enterprise without limits by default) and its client. */
  account(options?: AccountOptions): Promise<TestAccount & { api: ApiClient }>;
  /** Creates another key for an account. */
  anotherKey(
    account: TestAccount,
    options?: AccountOptions,
  ): Promise<{ key: string; keyId: string }>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Environment variables of the service. The default role is `api`. */
  environment?: Record<string, string>;
  /** The database of another test app, to run as a second replica. */
  databaseUrl?: string;
  /** Features that exist only in this test, or `BackgroundTasksModule` to run its tasks without the workers. */
  modules?: Type[];
  /** Instances that replace providers of the service. */
  overrides?: readonly (readonly [provider: Type, instance: unknown])[];
  /** `false` makes the service use real time. */
  stopClock?: boolean;
  /** `true` runs the periodic tasks of a worker as the service does. By default, the test runs them with `runAll()`. */
  runTasks?: boolean;
}

/** Runs no task on its own. On a slow machine, the first run would overlap with what the test does. */
class TasksOnDemand extends BackgroundTasks {
  override onApplicationBootstrap(): void {
    // The base class starts the tasks here.
  }
}

/** Shared by all apps of a test file, as by all replicas. */
const SECRETS_KEY = randomBytes(32);

/** Starts the service in this process, on a free port, with its own PostgreSQL database. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.databaseUrl === undefined ? await createTestDatabase() : undefined;
  const url = options.databaseUrl ?? database?.url ?? '';
  const environment = readEnvironment({
    LOG_LEVEL: 'silent',
    // Send nothing to the receivers that tests register, unless the test is about deliveries.
    PROCESS_ROLE: 'api',
    WARM_UP: 'false',
    DATABASE_URL: url,
    SECRETS_KEY: SECRETS_KEY.toString('base64'),
    ...options.environment,
  });
  const config = new Config(environment, url, SECRETS_KEY);
  const clock = new TestClock();
  const imports = [await serviceModule(config), ...(options.modules ?? [])];
  const building = Test.createTestingModule({ imports });
  if (options.runTasks !== true) building.overrideProvider(BackgroundTasks).useClass(TasksOnDemand);
  if (options.stopClock !== false) building.overrideProvider(Clock).useValue(clock);
  for (const [provider, instance] of options.overrides ?? []) {
    building.overrideProvider(provider).useValue(instance);
  }
  const app = (await building.compile()).createNestApplication<NestExpressApplication>(
    new HttpAdapter(),
    {
      bodyParser: false,
    },
  );
  configureApp(app, config);
  await app.init();
  placeUnknownRoutesLast(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const origin = `http://127.0.0.1:${String(port)}`;
  const dataSource = app.get(DataSource);
  const api = (key?: string) => new ApiClient(origin, key);
  return {
    origin,
    port,
    clock,
    app,
    dataSource,
    api,
    account: async (accountOptions) => {
      const account = await makeAccount(dataSource, accountOptions);
      return { ...account, api: api(account.key) };
    },
    anotherKey: (account, keyOptions) => makeKey(dataSource, account, keyOptions),
    close: async () => {
      app.getHttpServer().closeAllConnections();
      await app.close();
      await database?.drop();
    },
  };
}
