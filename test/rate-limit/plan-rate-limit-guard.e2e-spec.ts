import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo, Server } from 'node:net';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { SkipThrottle } from '@nestjs/throttler';
import type { NextFunction, Request, Response } from 'express';
import { request } from 'undici';
import type { Principal } from '../../src/features/auth/principal.js';
import { ClockModule } from '../../src/platform/basics/clock/clock.js';
import { Config, readEnvironment, ConfigModule } from '../../src/platform/config/config.js';
import { SCHEMA } from '../../src/tables.js';
import { DatabaseModule } from '../../src/platform/database/database.module.js';
import { FailureFilter } from '../../src/platform/http/envelope/failure.filter.js';
import { createLog, LogModule } from '../../src/platform/operation/log.js';
import { PlanRateLimitGuard } from '../../src/features/rate-limit/plan-rate-limit.guard.js';
import { MetricsModule } from '../../src/platform/operation/metrics.js';
import { RateLimitModule } from '../../src/features/rate-limit/rate-limit.module.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

@Controller()
class PagesController {
  @Get('counted')
  counted(): string {
    return 'counted';
  }

  @Get('free-of-charge')
  @SkipThrottle({ minute: true, hour: true, day: true })
  freeOfCharge(): string {
    return 'not counted';
  }
}

@Controller('skipped')
@SkipThrottle({ minute: true, hour: true, day: true })
class SkippedController {
  @Get()
  skipped(): string {
    return 'not counted';
  }

  @Get('counted')
  @SkipThrottle({ minute: false, hour: false, day: false })
  counted(): string {
    return 'counted';
  }
}

/** Starts an app with the guard on small test routes, which identifies callers by a header. */
async function startGuardedApp(databaseUrl: string): Promise<GuardedApp> {
  const environment = readEnvironment({ LOG_LEVEL: 'silent' });
  const config = new Config(environment, databaseUrl, randomBytes(32));
  const building = Test.createTestingModule({
    imports: [
      ConfigModule.forRoot(config),
      ClockModule,
      LogModule.forRoot(createLog('silent')),
      DatabaseModule.forRoot(SCHEMA),
      MetricsModule,
      RateLimitModule,
    ],
    controllers: [PagesController, SkippedController],
    providers: [
      { provide: APP_GUARD, useExisting: PlanRateLimitGuard },
      { provide: APP_FILTER, useClass: FailureFilter },
    ],
  });
  const app = (await building.compile()).createNestApplication();
  app.use((incoming: Request, _: Response, next: NextFunction) => {
    const account = incoming.get('x-test-account');
    if (account !== undefined) incoming.principal = freePrincipal(account);
    next();
  });
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return {
    app,
    get: async (path, account) => {
      const response = await request(`http://127.0.0.1:${String(port)}${path}`, {
        headers: account === undefined ? {} : { 'x-test-account': account },
      });
      await response.body.dump();
      return { status: response.statusCode, headers: response.headers };
    },
  };
}

interface GuardedResponse {
  status: number;
  headers: Record<string, unknown>;
}

interface GuardedApp {
  app: INestApplication;
  get: (path: string, account?: string) => Promise<GuardedResponse>;
}

function freePrincipal(accountId: string): Principal {
  return {
    kind: 'key',
    keyId: randomUUID(),
    accountId,
    user: { id: randomUUID(), name: 'Ada Lovelace', email: 'ada@example.com' },
    scopes: ['*'],
    expiresAt: null,
    allowedIps: [],
    limits: null,
    token: null,
    role: 'owner' as const,
    collections: null,
    accessEpoch: '0',
    plan: 'free',
    customLimits: null,
  };
}

describe('The plan guard on a route', () => {
  let database: TestDatabase;
  let guarded: GuardedApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    guarded = await startGuardedApp(database.url);
  });

  afterAll(async () => {
    await guarded.app.close();
    await database.drop();
  });

  it('counts a request that has a caller', async () => {
    const { headers } = await guarded.get('/counted', randomUUID());
    expect(headers['x-ratelimit-remaining']).toBe('9');
  });

  it.each(['/counted', '/free-of-charge'])('ignores %s without a caller', async (path) => {
    const { status, headers } = await guarded.get(path);
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('x-ratelimit-remaining');
  });

  it.each(['/free-of-charge', '/skipped'])(
    'does not count %s, which is marked with @SkipThrottle',
    async (path) => {
      const account = randomUUID();
      const { headers } = await guarded.get(path, account);
      expect(headers).not.toHaveProperty('x-ratelimit-remaining');
      const next = await guarded.get('/counted', account);
      expect(next.headers['x-ratelimit-remaining']).toBe('9');
    },
  );

  it("counts a route that reverses its controller's mark", async () => {
    const { headers } = await guarded.get('/skipped/counted', randomUUID());
    expect(headers['x-ratelimit-remaining']).toBe('9');
  });
});
