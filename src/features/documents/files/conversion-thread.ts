import { threadTask } from '../../../platform/threads/thread-task.js';
import { ConversionError } from '@document-service/conversion/conversion-errors';
import { refusal } from './conversion-errors.js';
import { exportDocument } from '@document-service/conversion/export-document';
import type { ExportedText, ExportFormat } from '@document-service/conversion/formats';
import {
  importFile,
  type ImportedFile,
  type ImportedText,
} from '@document-service/conversion/import-file';

/** A task for a conversion thread. */
export type ConversionJob =
  | { kind: 'export'; document: ExportedText; format: ExportFormat }
  | { kind: 'import'; file: ImportedFile };

/** The result of a conversion. */
export type ConversionResult = { bytes: Uint8Array } | { text: ImportedText };

export default threadTask(async (job: ConversionJob): Promise<ConversionResult> => {
  try {
    if (job.kind === 'import') return { text: await importFile(job.file) };
    return { bytes: await exportDocument(job.document, job.format) };
  } catch (error) {
    throw error instanceof ConversionError ? refusal(error) : error;
  }
});
