import { Injectable, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Drain, DrainModule } from '../http/server/drain.js';

/**
 * Starts work once this process listens. Until then its start can still fail, for example because the port is in use, and
 * such a process must not deliver, lease or schedule anything.
 */
@Injectable()
export class BackgroundWork {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly drain: Drain,
  ) {}

  /** Calls `start` when the process listens, and `stop` when its shutdown begins. Neither may reject. */
  run(start: () => Promise<void> | void, stop: () => Promise<void> | void): void {
    this.host.listen$.subscribe(() => void start());
    this.drain.onStart(() => void stop());
  }
}

@Module({ imports: [DrainModule], providers: [BackgroundWork], exports: [BackgroundWork] })
export class BackgroundWorkModule {}
