import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../../../platform/config/config.js';
import { LANE_NICENESS, laneOf, type Lane } from '../../../../platform/threads/lanes.js';
import { ThreadPool, ThreadPoolError } from '../../../../platform/threads/thread-pool.js';
import { threadModule } from '../../../../platform/threads/thread-task.js';
import { conversionsBusy, tooDemanding } from './refusal.js';
import type { ConversionJob, ConversionResult } from './conversion-thread.js';
import type { ExportedText } from '@document-service/conversion/formats';
import type { ExportFormat } from '@document-service/conversion/formats';
import type { ImportedFile, ImportedText } from '@document-service/conversion/import-file';

/** Bytes of content that take longer than about a second on one core. */
const LARGE: Readonly<Record<ExportFormat, number>> = {
  md: Infinity,
  html: Infinity,
  docx: 256 * 1024,
  pdf: 64 * 1024,
};

/** Texts and files of conversions that wait or are under way. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;

/**
 * Converts documents from and to files, in threads of their own: the event loop never waits for a conversion. Short and long
 * documents have different threads, so that a short one never waits for a long one.
 */
@Injectable()
export class Converter implements OnApplicationShutdown {
  private readonly pools: Readonly<Record<Lane, ThreadPool>>;
  /** Imports under way, by their file. */
  private readonly imports = new Map<string, Promise<ImportedText>>();

  constructor({ conversionThreads, conversionTimeoutMs, importLimit }: Config) {
    const pool = (lane: Lane) =>
      new ThreadPool({
        ...threadModule(import.meta.url, 'conversion-thread'),
        threads: conversionThreads,
        niceness: lane === 'long' ? LANE_NICENESS.long : 0,
        maxWaiting: 256,
        maxOfOwner: 128,
        maxBytes: Math.max(MAX_HELD_BYTES, 2 * importLimit),
        timeLimitMs: conversionTimeoutMs,
        waitLimitMs: 25_000,
        idleMs: 60_000,
        resourceLimits: {
          maxOldGenerationSizeMb: 384,
          maxYoungGenerationSizeMb: 48,
          stackSizeMb: 4,
        },
      });
    this.pools = { short: pool('short'), long: pool('long') };
  }

  /**
   * The document as a file. Throws `unprocessable` when it takes too much time or memory, and `unavailable` when too many
   * conversions wait. `accountId` is whose conversion it is: no account takes all threads.
   */
  async export(accountId: string, document: ExportedText, format: ExportFormat): Promise<Buffer> {
    const { title, type, metadata, content, updatedAt } = document;
    const shown = { title, type, metadata, content, updatedAt };
    const result = await this.run(
      accountId,
      { kind: 'export', document: shown, format },
      2 * content.length,
      laneOf(Buffer.byteLength(content)),
    );
    if (!('bytes' in result)) throw new Error('An export answered something else.');
    return Buffer.from(result.bytes.buffer, result.bytes.byteOffset, result.bytes.byteLength);
  }

  /**
   * What the file says. Throws `bad_request` for a file that cannot be read, else as {@link export} does. Who sends a file
   * that is being converted gets the same result: retries under one Idempotency-Key do not crowd each other out.
   */
  import(accountId: string, file: ImportedFile): Promise<ImportedText> {
    const key = keyOf(accountId, file);
    const running = this.imports.get(key);
    if (running) return running;
    const started = this.convert(accountId, file).finally(() => this.imports.delete(key));
    this.imports.set(key, started);
    return started;
  }

  /** Whether the export takes long enough to be done in the background. */
  isLarge({ content }: Pick<ExportedText, 'content'>, format: ExportFormat): boolean {
    return Buffer.byteLength(content) > LARGE[format];
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.pools).map((pool) => pool.close()));
  }

  private async convert(accountId: string, file: ImportedFile): Promise<ImportedText> {
    const result = await this.run(
      accountId,
      { kind: 'import', file },
      file.bytes.length,
      laneOf(file.bytes.length),
    );
    if (!('text' in result)) throw new Error('An import answered something else.');
    return result.text;
  }

  private async run(
    accountId: string,
    job: ConversionJob,
    bytes: number,
    lane: Lane,
  ): Promise<ConversionResult> {
    try {
      return (await this.pools[lane].run(accountId, job, { bytes })) as ConversionResult;
    } catch (error) {
      throw error instanceof ThreadPoolError ? explained(error) : error;
    }
  }
}

/** Says all that the result depends on, and whose file it is. */
function keyOf(accountId: string, { bytes, name, format }: ImportedFile): string {
  return createHash('sha256')
    .update(JSON.stringify([accountId, format, name]))
    .update(bytes)
    .digest('base64');
}

function explained(error: ThreadPoolError): Error {
  switch (error.failure) {
    case 'timed out':
      return tooDemanding('takes too long to convert');
    case 'out of memory':
      return tooDemanding('takes too much memory to convert');
    case 'overloaded':
    case 'closed':
      return conversionsBusy();
    case 'aborted':
    case 'crashed':
      return error;
  }
}
