import { Injectable } from '@nestjs/common';
import { Converter } from '../../conversion/converter.js';
import { MEDIA_TYPES, type ExportFormat } from '../../conversion/formats.js';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/app-error.js';
import { StoredFiles } from '../../jobs/files/stored-files.js';
import type { JobRun, JobRunner } from '../../jobs/job-runner.js';
import { DocumentsRepository } from '../documents.repository.js';
import { VersionStore } from '../versions/version-store.js';
import { fileNameOf } from './file-name.js';

/** What a job of this kind is to do. */
export interface DocumentExportInput extends Record<string, unknown> {
  /** UUID. */
  documentId: string;
  version: number;
  format: ExportFormat;
}

/** Writes a large document as a file, as it was at the version that was asked for. */
@Injectable()
export class DocumentExport implements JobRunner {
  readonly kind = 'document.export';
  private readonly documents: DocumentsRepository;
  private readonly versions: VersionStore;

  constructor(
    database: Database,
    private readonly converter: Converter,
    private readonly files: StoredFiles,
  ) {
    this.documents = new DocumentsRepository(database);
    this.versions = new VersionStore(database);
  }

  async run({ job: { accountId, input }, signal, report, succeed }: JobRun): Promise<void> {
    const { documentId, version: number, format } = input as DocumentExportInput;
    report({ done: 0, total: 1 });
    // A document in the trash has versions too, which nobody may read.
    const found = await this.documents.find(accountId, documentId);
    const version = found && (await this.versions.find({ accountId, documentId }, number));
    if (!version) throw notFound('document');
    const shown = { ...version, updatedAt: version.createdAt };
    const bytes = await this.converter.export(accountId, shown, format);
    signal.throwIfAborted();
    const content = async function* () {
      yield await Promise.resolve(bytes);
    };
    await succeed({
      file: await this.files.write(accountId, content(), signal),
      mediaType: MEDIA_TYPES[format],
      fileName: fileNameOf(version.title, format),
      steps: 1,
    });
  }
}
