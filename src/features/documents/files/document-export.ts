import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ConverterService } from './converter.service.js';
import { EXPORT_FORMATS, MEDIA_TYPES } from '@document-service/conversion/formats';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { fileNameOf } from '../../../platform/http/file-name.js';
import {
  RunsJobs,
  type FileOutput,
  type JobInput,
  type JobKind,
  type JobRun,
  type JobRunner,
} from '../../jobs/queue/job-kind.js';
import { StoredFilesRepository } from '../../jobs/stored-files.repository.js';
import { DocumentsRepository } from '../documents.repository.js';
import { DocumentVersionsRepository } from '../versions/document-versions.repository.js';

export const DOCUMENT_EXPORT = {
  name: 'document.export',
  scope: 'documents:read',
  reads: 'document',
  input: z.object({
    documentId: z.uuid(),
    version: z.int().positive(),
    format: z.enum(EXPORT_FORMATS),
  }),
  // The converter has its own threads.
  runsIn: 'process',
  limits: {
    concurrency: 3,
    concurrencyPerAccount: 2,
    unfinishedPerAccount: 100,
    timeLimitMs: 15 * 60 * 1000,
    maxAttempts: 5,
  },
} as const satisfies JobKind;

type Input = JobInput<typeof DOCUMENT_EXPORT>;

/** Exports the requested version of a large document as a file. */
@RunsJobs(DOCUMENT_EXPORT)
@Injectable()
export class DocumentExport implements JobRunner<Input> {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly versions: DocumentVersionsRepository,
    private readonly converter: ConverterService,
    private readonly files: StoredFilesRepository,
  ) {}

  async run({ accountId, input, context, signal, report }: JobRun<Input>): Promise<FileOutput> {
    const { documentId, version: number, format } = input;
    report({ done: 0, total: 1 });
    // Versions of documents in the trash cannot be read.
    const found = await this.documents.find(context.access, documentId);
    const version = found && (await this.versions.find({ accountId, id: documentId }, number));
    if (!version) throw notFound('document');
    const shown = { ...version, updatedAt: version.createdAt };
    const bytes = await this.converter.export(accountId, shown, format);
    signal.throwIfAborted();
    const content = async function* () {
      yield await Promise.resolve(bytes);
    };
    return {
      file: await this.files.write(accountId, content(), signal),
      mediaType: MEDIA_TYPES[format],
      fileName: fileNameOf(version.title, format),
    };
  }
}
