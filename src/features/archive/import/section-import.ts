import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import type { ArchivedKind } from '../../content/versioning/archived-lines.js';
import {
  collectionOf,
  treeProblem,
  type ArchivedCollection,
} from '../sections/collection-archive.repository.js';
import {
  DOCUMENT_LINES,
  type ArchivedDocument,
  type ArchivedVersion,
} from '../sections/document-archive.repository.js';
import {
  TEMPLATE_LINES,
  type ArchivedTemplate,
  type ArchivedTemplateVersion,
} from '../sections/template-archive.repository.js';
import {
  publicationOf,
  publishingOf,
  type ArchivedPublication,
  type ArchivedPublishing,
} from '../sections/publication-archive.repository.js';
import { inLine, lineProblem, type ArchiveRecord } from './archive-records.js';

/** Receives the resources of a section, each followed by its older versions, newest first. */
export interface SectionSink<Resource, Version> {
  add(resource: Resource, line: number): Promise<void>;
  addVersion(version: Version): Promise<void>;
  end(): Promise<void>;
}

/** Receives documents, each followed by its older versions and then its publications, newest first. */
export interface DocumentSink extends SectionSink<ArchivedDocument, ArchivedVersion> {
  addPublication(publication: ArchivedPublication): Promise<void>;
}

/** Receives the records of an archive: all collections at once. Other sections are only counted. */
export interface ArchiveSinks {
  publishing: (settings: ArchivedPublishing) => void;
  collections: (collections: readonly ArchivedCollection[]) => Promise<void>;
  templates: SectionSink<ArchivedTemplate, ArchivedTemplateVersion>;
  documents: DocumentSink;
}

/** Passes the records of an archive to their sinks. Times must not be after `latest`. Throws `bad_request`. */
export async function importSections(
  records: AsyncIterable<ArchiveRecord>,
  { publishing, collections, templates, documents }: ArchiveSinks,
  latest: Date,
  afterEach: () => void,
): Promise<void> {
  const tree = new CollectionSectionImport(collections, latest);
  const settings = new PublishingSectionImport(publishing);
  const sections = [
    settings,
    tree,
    new SectionImport(TEMPLATE_LINES, templates, latest),
    new DocumentSectionImport(
      documents,
      latest,
      (document) => settings.pinProblem(document) ?? tree.placeProblem(document),
    ),
  ];
  let line = 1;
  let current: { end(line: number): void | Promise<void> } | undefined;
  for await (const record of records) {
    const section = sections.find(({ names }) => names.includes(record.name));
    if (current && current !== section) await current.end(record.line);
    current = section;
    await section?.add(record);
    line = record.line;
    afterEach();
  }
  await current?.end(line + 1);
}

/** Passes the publishing settings to the sink. */
class PublishingSectionImport {
  readonly names = ['publishing'];
  private isRead = false;

  constructor(private readonly sink: ArchiveSinks['publishing']) {}

  add({ line, value }: ArchiveRecord): void {
    if (this.isRead) throw lineProblem(line, 'record', 'is publishing, which an archive has once');
    this.isRead = true;
    this.sink(atLine(line, () => publishingOf(value)));
  }

  end(): void {
    // Each record is passed on at once.
  }

  /** Returns the problem of a published version in an archive without publishing settings. */
  pinProblem({ published }: ArchivedDocument): FieldProblem | undefined {
    return published === undefined || this.isRead
      ? undefined
      : { field: 'published', issue: 'needs a publishing record in the archive' };
  }
}

/** Checks that the collections are a tree, and passes them to the sink. */
class CollectionSectionImport {
  readonly names = ['collection'];
  private readonly collections = new Map<string, ArchivedCollection & { line: number }>();

  constructor(
    private readonly sink: ArchiveSinks['collections'],
    private readonly latest: Date,
  ) {}

  add({ line, value }: ArchiveRecord): void {
    const collection = atLine(line, () => collectionOf(value, this.latest));
    if (this.collections.has(collection.id))
      throw lineProblem(line, 'id', 'is the id of an earlier collection');
    this.collections.set(collection.id, { ...collection, line });
  }

  async end(): Promise<void> {
    const problem = treeProblem(this.collections);
    if (problem) throw lineProblem(problem.line, problem.field, problem.issue);
    await this.sink([...this.collections.values()]);
  }

  /** Returns the problem of the place of a document. */
  placeProblem({ collectionId, deletedAt }: ArchivedDocument): FieldProblem | undefined {
    if (collectionId === undefined) return undefined;
    const place = this.collections.get(collectionId);
    const field = 'collectionId';
    if (!place) return { field, issue: 'is not a collection of the archive' };
    return place.deletedAt !== null && deletedAt === null
      ? { field, issue: 'is a deleted collection, but the document is not in the trash' }
      : undefined;
  }
}

interface Resource {
  id: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

interface Version {
  ownerId: string;
  number: number;
  createdAt: Date;
}

/** The format of a section. Readers throw `bad_request`. */
interface SectionFormat<R extends Resource, V extends Version> {
  kind: ArchivedKind;
  read(value: Record<string, unknown>, latest: Date): R;
  readVersion(value: Record<string, unknown>, latest: Date): V;
}

/** Checks that each resource is followed by all its older versions, newest first, and passes them to the sink. */
class SectionImport<R extends Resource, V extends Version> {
  protected resource: R | undefined;
  /** Number of the next version; 0 if none must follow. */
  private expected = 0;
  private newerAt = new Date(0);

  constructor(
    private readonly format: SectionFormat<R, V>,
    private readonly sink: SectionSink<R, V>,
    private readonly latest: Date,
    private readonly problemOf: (resource: R) => FieldProblem | undefined = () => undefined,
  ) {}

  get names(): readonly string[] {
    return this.format.kind.records;
  }

  async add({ line, name, value }: ArchiveRecord): Promise<void> {
    if (name === this.names[0]) {
      this.requireAllVersions(line);
      const resource = atLine(line, () => this.format.read(value, this.latest));
      const problem = this.problemOf(resource);
      if (problem) throw lineProblem(line, problem.field, problem.issue);
      this.resource = resource;
      this.expected = resource.version - 1;
      this.newerAt = resource.updatedAt;
      await this.sink.add(resource, line);
    } else {
      const version = atLine(line, () => this.format.readVersion(value, this.latest));
      this.requirePlace(line, version);
      this.expected -= 1;
      this.newerAt = version.createdAt;
      await this.sink.addVersion(version);
    }
  }

  /** Ends the section. `line` is the line after its last record. */
  async end(line: number): Promise<void> {
    this.requireAllVersions(line);
    await this.sink.end();
  }

  protected requireAllVersions(line: number): void {
    if (this.expected > 0) {
      const issue = `must be version ${String(this.expected)} of the preceding ${this.format.kind.resource.kind}`;
      throw lineProblem(line, 'line', issue);
    }
  }

  private requirePlace(line: number, version: V): void {
    const { owner } = this.format.kind;
    const { kind } = this.format.kind.resource;
    if (version.ownerId !== this.resource?.id) {
      throw lineProblem(line, owner, `must be the id of the preceding ${kind}`);
    }
    if (version.number !== this.expected) {
      const issue =
        this.expected > 0
          ? `must be ${String(this.expected)}`
          : `is unexpected: the ${kind} has no more versions`;
      throw lineProblem(line, 'number', issue);
    }
    if (version.createdAt > this.newerAt || version.createdAt < this.resource.createdAt) {
      const issue = `must be between the createdAt of the ${kind} and of the next version`;
      throw lineProblem(line, 'createdAt', issue);
    }
  }
}

/** Checks in addition that each document is followed by all its publications, newest first. */
class DocumentSectionImport extends SectionImport<ArchivedDocument, ArchivedVersion> {
  /** Number of the next publication. Undefined before the first one, 0 if none must follow. */
  private nextPublication: number | undefined;

  constructor(
    private readonly documents: DocumentSink,
    private readonly latestTime: Date,
    problemOf: (document: ArchivedDocument) => FieldProblem | undefined,
  ) {
    super(DOCUMENT_LINES, documents, latestTime, problemOf);
  }

  override get names(): readonly string[] {
    return [...super.names, 'publication'];
  }

  override async add(record: ArchiveRecord): Promise<void> {
    const { line, name, value } = record;
    if (name !== 'publication') {
      if (name === 'document') this.requireAllPublications(line);
      await super.add(record);
      return;
    }
    this.requireAllVersions(line);
    const publication = atLine(line, () => publicationOf(value, this.latestTime));
    const problem = this.publicationProblem(publication);
    if (problem) throw lineProblem(line, problem.field, problem.issue);
    this.nextPublication = publication.number - 1;
    await this.documents.addPublication(publication);
  }

  override async end(line: number): Promise<void> {
    this.requireAllVersions(line);
    this.requireAllPublications(line);
    await super.end(line);
  }

  /** Throws unless the publications of the last document are complete. */
  private requireAllPublications(line: number): void {
    const { nextPublication, resource } = this;
    this.nextPublication = undefined;
    if (nextPublication === undefined ? resource?.published : nextPublication > 0)
      throw lineProblem(line, 'line', 'must be a publication of the preceding document');
  }

  private publicationProblem(publication: ArchivedPublication): FieldProblem | undefined {
    const { documentId, number, version, endedAt } = publication;
    const { resource, nextPublication } = this;
    if (documentId !== resource?.id)
      return { field: 'documentId', issue: 'must be the id of the preceding document' };
    if (nextPublication !== undefined && number !== nextPublication) {
      const issue =
        nextPublication > 0
          ? `must be ${String(nextPublication)}`
          : 'is unexpected: the document has no more publications';
      return { field: 'number', issue };
    }
    const live = nextPublication === undefined ? resource.published : undefined;
    if (version > resource.version || (live && version !== live.version))
      return {
        field: 'version',
        issue: `must be ${String(live?.version ?? 'one of the document')}`,
      };
    if ((endedAt === null) === (live !== undefined)) return undefined;
    const issue = live ? 'must be null, because readers get it' : 'must be a time';
    return { field: 'endedAt', issue };
  }
}

function atLine<Result>(line: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw inLine(line, error);
  }
}
