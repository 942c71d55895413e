import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { ensureFirstAccount } from '../../features/access/auth/accounts/accounts.repository.js';
import type { Config } from '../../platform/config/config.js';
import { localOrigin } from '../../platform/http/public-origin.js';
import { createApp } from './configure-app.js';
import { Database } from '../../platform/database/database.js';
import { OperatorError } from '../../platform/basics/errors/app-error.js';
import { Drain } from '../../platform/http/server/drain.js';
import { Log } from '../../platform/operation/log.js';
import { ServedDocument } from '../api-document/serve/api-document.controller.js';
import { firstRunLink } from '../../features/people/sessions/users/operator-users.js';
import { linkUrl } from '../../features/people/sessions/secret-token.js';
import { OneTimeLinkRepository } from '../../features/people/sessions/links/one-time-links.repository.js';
import type { ThreadModule } from '../../platform/threads/thread-task.js';

/** A listening process in its role. */
export class RunningService {
  private constructor(
    private readonly app: NestExpressApplication,
    private readonly config: Config,
  ) {}

  /** Starts the service. Throws an `OperatorError` if it cannot listen on the port. Job threads run `jobThread`. */
  static async start(config: Config, log: Log, jobThread: ThreadModule): Promise<RunningService> {
    const app = await createApp(config, log, jobThread);
    // Build it before the first request, because it blocks the event loop for about 200 ms.
    if (config.role !== 'worker') await app.get(ServedDocument).read();
    try {
      await app.listen(config.port, config.host);
    } catch (error) {
      await app.close();
      throw listenFailure(error, config);
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

  /** Creates the first account if there is none. Returns its key, which is shown nowhere else. */
  ensureFirstAccount(): Promise<string | undefined> {
    return ensureFirstAccount(this.app.get(DataSource));
  }

  /** Returns a link for the first user; `undefined` once a user exists. */
  async firstRunLink(): Promise<string | undefined> {
    const link = await firstRunLink(
      this.app.get(Database),
      this.app.get(OneTimeLinkRepository, { strict: false }),
    );
    return link && linkUrl(this.config.publicUrl ?? this.origin, 'first-run', link.token);
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

function listenFailure(error: unknown, { port, host }: Config): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `Port ${String(port)} on ${host} is in use by another program. Stop it, or set PORT to a free port.`,
      );
    case 'EACCES':
      return new OperatorError(
        `Port ${String(port)} is not available to this user. Set PORT to 1024 or higher.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(`This machine has no address ${host}. Correct HOST.`);
    default:
      return error;
  }
}
