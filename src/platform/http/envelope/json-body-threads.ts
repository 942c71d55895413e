import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { unavailableIfBusy } from '../../threads/busy-threads.js';
import { ThreadPool } from '../../threads/thread-pool.js';
import { threadModule } from '../../threads/thread-task.js';
import type { ParsedBody } from './json-body-thread.js';
import { revealSources } from './json-text.js';

const BUSY = 'Too many large bodies are being read right now. Try again shortly.';

/** Parses large request bodies in threads: 8 MiB of escapes or names take hundreds of milliseconds. */
@Injectable()
export class JsonBodyThreads implements OnApplicationShutdown {
  private readonly pool = new ThreadPool({
    ...threadModule(import.meta.url, 'json-body-thread'),
    threads: 2,
    maxWaiting: 256,
    maxOfOwner: 128,
    timeLimitMs: 30_000,
    waitLimitMs: 20_000,
    idleMs: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 },
  });

  /**
   * As `parseJsonObject`, with the SHA-256 of the bytes. `owner` is whose body it is: no owner takes all threads. The bytes
   * move to the thread. Throws `unavailable` when too many bodies wait.
   */
  async parse(
    owner: string,
    bytes: Buffer,
  ): Promise<{ value: Record<string, unknown>; hash: Buffer }> {
    try {
      const transferList = [bytes.buffer as ArrayBuffer];
      const parsed = (await this.pool.run(owner, bytes, { transferList })) as ParsedBody;
      const { value, sources, hash } = parsed;
      revealSources(value, sources);
      return { value, hash: Buffer.from(hash) };
    } catch (error) {
      throw unavailableIfBusy(error, BUSY);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}
