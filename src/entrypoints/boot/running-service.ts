import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { HttpAdapterHost } from '@nestjs/core';
import { DataSource } from 'typeorm';
import type { ServiceAddresses } from '@document-service/embedded-postgres/data-folder-sockets';
import { ensureFirstAccount } from '../../features/auth/accounts/accounts.repository.js';
import type { Config } from '../../platform/config/config.js';
import { localOrigin } from '../../platform/http/public-origin.js';
import { createApp } from './configure-app.js';
import { listening } from './listen.js';
import { Database } from '../../platform/database/database.js';
import type { TransactionalDataSource } from '../../platform/database/transactional-data-source.js';
import { Drain } from '../../platform/http/server/drain.js';
import { Log } from '../../platform/operation/log.js';
import { ServedDocument } from '../api-document/serve/api-document.controller.js';
import { firstRunLink } from '../../features/people/sessions/users/operator-users.js';
import { linkUrl } from '../../features/people/sessions/secret-token.js';
import { UserRepository } from '../../features/people/sessions/users/users.repository.js';
import { OneTimeLinkRepository } from '../../features/people/sessions/links/one-time-links.repository.js';
import type { ThreadModule } from '../../platform/threads/thread-task.js';

/** A listening process in its role. */
export class RunningService {
  private constructor(
    private readonly app: NestExpressApplication,
    private readonly config: Config,
  ) {}

  /**
   * Starts the service. Background work starts once it listens. Throws an `OperatorError` if it cannot listen on the port,
   * and the reason of `signal` if that is aborted first. Job threads run `jobThread`.
   */
  static async start(
    config: Config,
    log: Log,
    jobThread: ThreadModule,
    signal: AbortSignal,
  ): Promise<RunningService> {
    const app = await createApp(config, log, jobThread);
    try {
      // Build it before the first request, because it blocks the event loop for about 200 ms.
      if (config.role !== 'worker') await app.get(ServedDocument).read();
      signal.throwIfAborted();
      // Not `app.listen()`, which also logs the failure.
      const host = app.get(HttpAdapterHost);
      await listening(host.httpAdapter.listen(config.port, config.host) as Server, config);
      host.listening = true;
    } catch (error) {
      await app.close();
      throw error;
    }
    const service = new RunningService(app, config);
    log.info({ role: config.role, url: service.origin, pid: process.pid }, 'listening');
    return service;
  }

  /** URL of the service for local clients, such as `http://localhost:3000`. */
  get origin(): string {
    const { port } = this.server.address() as AddressInfo;
    return localOrigin(this.config.host, port);
  }

  /** URLs of the service for local clients and for people. */
  get addresses(): ServiceAddresses {
    return { localUrl: this.origin, publicUrl: this.config.publicUrl ?? this.origin };
  }

  /** Creates the first account if there is none. Returns its key, which is shown nowhere else. */
  ensureFirstAccount(): Promise<string | undefined> {
    return ensureFirstAccount(this.app.get<TransactionalDataSource>(DataSource));
  }

  /** Returns a link for the first user; `undefined` once a user exists. */
  async firstRunLink(): Promise<string | undefined> {
    const link = await firstRunLink(
      this.app.get(Database),
      this.app.get(UserRepository, { strict: false }),
      this.app.get(OneTimeLinkRepository, { strict: false }),
    );
    return link && linkUrl(this.addresses.publicUrl, 'first-run', link.token);
  }

  /** Finishes requests in flight and closes everything. */
  async stop(): Promise<void> {
    this.app.get(Log).info({}, 'shutting down');
    await this.app.get(Drain).run(this.server, this.config.shutdownDelayMs);
    await this.app.close();
  }

  private get server(): Server {
    return this.app.getHttpServer();
  }
}
