import type {
  ArchivedDocument,
  ArchivedVersion,
} from '../../documents/archive/archived-document.js';
import type { DocumentImport } from '../../documents/archive/document-import.js';
import { readDocument, readVersion } from '../../documents/archive/read-archived-lines.js';
import type { ArchiveRecord } from './archive-records.js';
import { inLine, lineProblem } from './line-problem.js';
import type { SectionImport } from './section-import.js';
import type { UniqueIds } from './unique-ids.js';

/** Where records of documents go: only judged, or written too. */
export type DocumentSink = { ids: UniqueIds } | { documents: DocumentImport };

/** Takes the records of documents: each document with every version it had before, the newest first, without a gap. */
export class DocumentRecords implements SectionImport {
  private document: ArchivedDocument | undefined;
  /** The number of the version that must come next; 0 when there is none. */
  private expected = 0;
  private newerAt = new Date(0);

  constructor(
    private readonly sink: DocumentSink,
    /** No time in an archive is later. */
    private readonly latest: Date,
  ) {}

  async take({ line, name, value }: ArchiveRecord): Promise<void> {
    if (name === 'document') {
      this.requireAllVersions(line);
      const document = judged(line, () => readDocument(value, this.latest));
      this.document = document;
      this.expected = document.version - 1;
      this.newerAt = document.updatedAt;
      if ('ids' in this.sink) await this.sink.ids.add(line, document.id, value['id']);
      else await this.sink.documents.addDocument(document);
    } else {
      const version = judged(line, () => readVersion(value, this.latest));
      this.requirePlace(line, version);
      this.expected -= 1;
      this.newerAt = version.createdAt;
      if ('documents' in this.sink) await this.sink.documents.addVersion(version);
    }
  }

  async end(line: number): Promise<void> {
    this.requireAllVersions(line);
    await ('ids' in this.sink ? this.sink.ids.end() : this.sink.documents.end());
  }

  private requireAllVersions(line: number): void {
    if (this.expected > 0) {
      const issue = `must be version ${String(this.expected)} of the document before`;
      throw lineProblem(line, 'line', issue);
    }
  }

  private requirePlace(line: number, { documentId, number, createdAt }: ArchivedVersion): void {
    if (documentId !== this.document?.id) {
      throw lineProblem(line, 'documentId', 'must be that of the document before');
    }
    if (number !== this.expected) {
      const wanted =
        this.expected > 0
          ? `must be ${String(this.expected)}`
          : 'is one too many: the document has no further version';
      throw lineProblem(line, 'number', wanted);
    }
    if (createdAt > this.newerAt || createdAt < this.document.createdAt) {
      const issue = 'must be between that of the document and that of the version after it';
      throw lineProblem(line, 'createdAt', issue);
    }
  }
}

function judged<Result>(line: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw inLine(line, error);
  }
}
