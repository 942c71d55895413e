import type { Server } from 'node:http';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE, NestFactory } from '@nestjs/core';
import { VersioningType, type DynamicModule, type VersioningOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import cors from 'cors';
import type { NextFunction, Request, Response } from 'express';
import { Clock, ClockModule } from '../../platform/basics/clock/clock.js';
import { type Config, ConfigModule } from '../../platform/config/config.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { DashboardFiles } from '../../features/dashboard/dashboard-files.js';
import {
  DashboardLimiter,
  isForDashboard,
  receiveDashboardRequests,
} from '../../features/dashboard/dashboard.middleware.js';
import { allowOAuthClients, isForOAuth } from '../../features/oauth/oauth-cors.js';
import { FailureFilter } from '../../platform/http/envelope/failure.filter.js';
import { BodyBudget, BodyLimits } from '../../platform/http/bodies/body-budget.js';
import { BodyInterceptor } from '../../platform/http/bodies/body.interceptor.js';
import { JsonBodyReader, JsonBodyThreads } from '../../platform/http/bodies/json-body-reader.js';
import { assignRequestId, observeRequests } from '../../platform/http/request-log.middleware.js';
import { EnvelopeInterceptor } from '../../platform/http/envelope/envelope.interceptor.js';
import {
  UnknownBodyInterceptor,
  UnknownQueryInterceptor,
} from '../../platform/http/envelope/unknown-fields.interceptors.js';
import { RequestValidationPipe } from '../../platform/http/envelope/request-validation.pipe.js';
import { logFieldsOf } from '../../features/auth/principal.js';
import { SCHEMA } from '../../tables.js';
import { ProbesModule } from '../probes/probes.module.js';
import { respondToConnectionErrors } from '../../platform/http/server/connection-errors.js';
import { Drain, DrainModule } from '../../platform/http/server/drain.js';
import { callHooks, Exchanges } from '../../platform/http/server/exchanges.js';
import { HttpAdapter, refuseRepeatedHeaders } from '../../platform/http/server/http-adapter.js';
import {
  refusePreflights,
  setSecurityHeaders,
} from '../../platform/http/security-headers.middleware.js';
import { UnknownRoutesModule, placeUnknownRoutesLast } from './unknown-routes.controller.js';
import { createLog, Log, LogModule, NestLog } from '../../platform/operation/log.js';
import { allowBrowserTokens, isFromBrowserToken } from '../../features/auth/tokens/browser-cors.js';
import { EXPOSED_HEADERS } from '../../platform/openapi/headers.js';
import { Metrics, MetricsModule } from '../../platform/operation/metrics.js';
import { DocsFiles } from '../api-document/serve/docs.controller.js';
import { serveApiDocument } from '../api-document/serve/api-document.controller.js';
import { RequestRecorder } from '../../features/request-log/recording/request-recorder.js';
import type { ThreadModule } from '../../platform/threads/thread-task.js';

/** `/v1/documents`; routes without a version, such as `/health/live`, are VERSION_NEUTRAL. */
export const VERSIONING: VersioningOptions = { type: VersioningType.URI, defaultVersion: '1' };

class ServiceModule {}

/** Returns the modules for the process's role. Modules of the other role are not loaded, to save memory. */
export async function serviceModule(
  config: Config,
  log: Log = createLog(config.logLevel),
  jobThread?: ThreadModule,
): Promise<DynamicModule> {
  const api = config.role === 'worker' ? [] : [(await import('../../app.module.js')).AppModule];
  const worker =
    config.role === 'api'
      ? []
      : [(await import('../../worker.module.js')).WorkerModule.forRoot(jobThread)];
  return {
    module: ServiceModule,
    imports: [
      ConfigModule.forRoot(config),
      ClockModule,
      LogModule.forRoot(log),
      DatabaseModule.forRoot(SCHEMA),
      DrainModule,
      MetricsModule,
      ProbesModule,
      ...api,
      ...worker,
      UnknownRoutesModule,
    ],
    providers: [
      BodyLimits,
      BodyBudget,
      JsonBodyReader,
      JsonBodyThreads,
      // The first is outermost. These wrap the interceptors of imported modules, such as that of idempotency.
      { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
      // Before the body: a request with both errors gets the 400 of its query, not the 415 of its body.
      { provide: APP_INTERCEPTOR, useClass: UnknownQueryInterceptor },
      { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
      { provide: APP_INTERCEPTOR, useClass: UnknownBodyInterceptor },
      { provide: APP_PIPE, useClass: RequestValidationPipe },
      { provide: APP_FILTER, useClass: FailureFilter },
    ],
  };
}

/** Creates the application, which does not listen yet. */
export async function createApp(
  config: Config,
  log: Log,
  jobThread: ThreadModule,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    await serviceModule(config, log, jobThread),
    new HttpAdapter(),
    {
      bodyParser: false,
      abortOnError: false,
      logger: ['error', 'warn'],
    },
  );
  configureApp(app, config);
  await app.init();
  placeUnknownRoutesLast(app);
  return app;
}

/** Configures HTTP: versioning, middleware and server limits. Call before `init()`. */
export function configureApp(app: NestExpressApplication, config: Config): void {
  const log = app.get(Log);
  const clock = app.get(Clock);
  app.useLogger(new NestLog(log));
  app.enableVersioning(VERSIONING);
  if (config.role !== 'worker') serveApiDocument(app);
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustProxy);

  const server: Server = app.getHttpServer();
  // Longer than the idle timeout of common proxies, so that they never reuse a connection that is being closed.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 20_000;
  server.requestTimeout = 60_000;
  respondToConnectionErrors(server, app.get(Exchanges), log, () => clock.now(), config.publicUrl);

  app.use(
    callHooks(
      app.get(Exchanges),
      assignRequestId,
      app.get(Drain).track,
      observeRequests(
        log,
        app.get(Metrics),
        clock,
        ({ principal }) => principal && logFieldsOf(principal),
        recorderOf(app, config),
      ),
      setSecurityHeaders,
    ),
  );
  app.use(refuseRepeatedHeaders);
  const origin = config.corsOrigins.includes('*') ? '*' : [...config.corsOrigins];
  const handleCors =
    origin.length > 0
      ? cors({ origin, exposedHeaders: [...EXPOSED_HEADERS], maxAge: 600 })
      : refusePreflights(log);
  app.use((request: Request, response: Response, next: NextFunction) => {
    // Browsers send the session cookie, so other origins must not read dashboard responses.
    if (isForDashboard(request)) next();
    else if (config.oauth && isForOAuth(request)) allowOAuthClients(request, response, next);
    else if (isFromBrowserToken(request)) allowBrowserTokens(request, response, next);
    else handleCors(request, response, next);
  });
  if (config.role !== 'worker') {
    const receive = receiveDashboardRequests(config, app.get(DashboardLimiter));
    app.use(receive, app.get(DashboardFiles).serve, app.get(DocsFiles).receive);
  }
}

/** Workers serve no account requests, so they record none. */
function recorderOf(app: NestExpressApplication, { role }: Config): RequestRecorder['record'] {
  return role === 'worker' ? () => undefined : app.get(RequestRecorder).record;
}
