import { parentPort } from 'node:worker_threads';
import { AppError, type ErrorDetails, type ErrorKind } from '../errors/app-error.js';
import { exportDocument, type ExportedText } from './export-document.js';
import type { ExportFormat } from './formats.js';
import { importFile, type ImportedFile, type ImportedText } from './import-file.js';

/** What a thread is asked for. */
export type ConversionJob =
  | { kind: 'export'; document: ExportedText; format: ExportFormat }
  | { kind: 'import'; file: ImportedFile };

/** What it answers: errors lose their kind on the way between threads, so they go as data. */
export type ConversionResult =
  | { bytes: Uint8Array }
  | { text: ImportedText }
  | { refused: { kind: ErrorKind; message: string; details?: ErrorDetails | undefined } };

async function convert(job: ConversionJob): Promise<ConversionResult> {
  try {
    if (job.kind === 'import') return { text: await importFile(job.file) };
    return { bytes: await exportDocument(job.document, job.format) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { kind, message, details } = error;
    return { refused: { kind, message, details } };
  }
}

// What was not foreseen ends the thread, whose state nobody knows then; the pool starts another one.
parentPort?.on('message', (job: ConversionJob) => {
  void convert(job).then((result) => {
    parentPort?.postMessage(result);
  });
});
