import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../../platform/config/config.js';
import { NICENESS, taskLengthOf, type TaskLength } from '../../../platform/threads/task-length.js';
import { ThreadPool, ThreadPoolError } from '../../../platform/threads/thread-pool.js';
import { threadModule } from '../../../platform/threads/thread-task.js';
import { conversionsBusy, tooDemanding } from './conversion-errors.js';
import type { ConversionJob, ConversionResult } from './conversion-thread.js';
import type { ExportedText, ExportFormat } from '@document-service/conversion/formats';
import type { ImportedFile, ImportedText } from '@document-service/conversion/import-file';

/** Content sizes in bytes that take longer than about one second to convert on one core. */
const LARGE: Readonly<Record<ExportFormat, number>> = {
  md: Infinity,
  html: Infinity,
  docx: 256 * 1024,
  pdf: 64 * 1024,
};

/** Maximum size of the texts and files of all queued and running conversions. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;

/**
 * Converts documents from and to files in threads, so that conversions never block the event loop. Short and long
 * documents have separate threads, so short ones never wait for long ones.
 */
@Injectable()
export class ConverterService implements OnApplicationShutdown {
  private readonly pools: Readonly<Record<TaskLength, ThreadPool>>;
  /** Running imports by the hash of their file. */
  private readonly imports = new Map<string, Promise<ImportedText>>();

  constructor({ conversionThreads, conversionTimeoutMs, importLimit }: Config) {
    const pool = (length: TaskLength) =>
      new ThreadPool({
        ...threadModule(import.meta.url, 'conversion-thread'),
        threads: conversionThreads,
        niceness: length === 'long' ? NICENESS.long : 0,
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
   * Returns the document as a file. Throws `unprocessable` if the conversion takes too much time or memory, and
   * `unavailable` if the queue is full. `accountId` owns the conversion, so that one account cannot use all threads.
   */
  async export(accountId: string, document: ExportedText, format: ExportFormat): Promise<Buffer> {
    const { title, type, metadata, content, updatedAt } = document;
    const shown = { title, type, metadata, content, updatedAt };
    const result = await this.run(
      accountId,
      { kind: 'export', document: shown, format },
      2 * content.length,
      taskLengthOf(Buffer.byteLength(content)),
    );
    if (!('bytes' in result)) throw new Error('An export returned no file.');
    return Buffer.from(result.bytes.buffer, result.bytes.byteOffset, result.bytes.byteLength);
  }

  /**
   * Returns the text of a file. Throws `bad_request` for an unreadable file, otherwise like {@link export}. Concurrent
   * imports of the same file share one conversion, so that retries with an Idempotency-Key do not fill the queue.
   */
  import(accountId: string, file: ImportedFile): Promise<ImportedText> {
    const key = keyOf(accountId, file);
    const running = this.imports.get(key);
    if (running) return running;
    const started = this.convert(accountId, file).finally(() => this.imports.delete(key));
    this.imports.set(key, started);
    return started;
  }

  /** True if the export should run as a background job. */
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
      taskLengthOf(file.bytes.length),
    );
    if (!('text' in result)) throw new Error('An import returned no text.');
    return result.text;
  }

  private async run(
    accountId: string,
    job: ConversionJob,
    bytes: number,
    length: TaskLength,
  ): Promise<ConversionResult> {
    try {
      return (await this.pools[length].run(accountId, job, { bytes })) as ConversionResult;
    } catch (error) {
      throw error instanceof ThreadPoolError ? apiError(error) : error;
    }
  }
}

/** Returns a hash of everything that the result depends on, and the account. */
function keyOf(accountId: string, { bytes, name, format }: ImportedFile): string {
  return createHash('sha256')
    .update(JSON.stringify([accountId, format, name]))
    .update(bytes)
    .digest('base64');
}

function apiError(error: ThreadPoolError): Error {
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
