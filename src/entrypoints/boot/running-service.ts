import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { ensureFirstAccount } from '../../features/access/auth/accounts/first-account.js';
import type { Config } from '../../platform/config/config.js';
import { localOrigin } from '../../platform/config/local-origin.js';
import { createApp } from './configure-app.js';
import { Database } from '../../platform/database/database.js';
import { OperatorError } from '../../platform/basics/errors/operator-error.js';
import { Drain } from '../../platform/http/drain.js';
import { Log } from '../../platform/operation/log/log.js';
import { ServedDocument } from '../api-document/serve/api-document.controller.js';
import { firstRunLink } from '../../features/people/sessions/first-run.js';
import { linkUrl } from '../../features/people/sessions/link-url.js';
import { OneTimeLinks } from '../../features/people/sessions/one-time-links.js';
import type { ThreadModule } from '../../platform/threads/thread-task.js';

/** A process in its role, listening. */
export class RunningService {
  private constructor(
    private readonly app: NestExpressApplication,
    private readonly config: Config,
  ) {}

  /** Throws a `OperatorError` when the port cannot be had. `jobThread` is what threads of jobs run. */
  static async start(config: Config, log: Log, jobThread: ThreadModule): Promise<RunningService> {
    const app = await createApp(config, log, jobThread);
    // Before the first request: to build it holds the event loop for some 200 ms.
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

  /** Where a client on this machine reaches the service, such as `http://localhost:3000`. */
  get origin(): string {
    const { port } = this.server.address() as AddressInfo;
    return localOrigin(this.config.host, port);
  }

  /** Makes the first account when there is none; its key, which is shown nowhere else. */
  ensureFirstAccount(): Promise<string | undefined> {
    return ensureFirstAccount(this.app.get(DataSource));
  }

  /** A link by which the first user begins to use the dashboard; `undefined` when he does already. */
  async firstRunLink(): Promise<string | undefined> {
    const link = await firstRunLink(
      this.app.get(Database),
      this.app.get(OneTimeLinks, { strict: false }),
    );
    return link && linkUrl(this.config.publicUrl ?? this.origin, 'first-run', link.token);
  }

  /** Finishes what is under way and closes everything. */
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
        `Port ${String(port)} on ${host} is taken by another program. Stop it, or set PORT to a free one.`,
      );
    case 'EACCES':
      return new OperatorError(
        `Port ${String(port)} may not be used by this user. Set PORT to one from 1024 on.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(`This machine has no address ${host}. Correct HOST.`);
    default:
      return error;
  }
}
