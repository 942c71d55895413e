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
import { inLine, lineProblem, type ArchiveRecord } from './archive-records.js';

/** Receives the resources of a section, each followed by its older versions, newest first. */
export interface SectionSink<Resource, Version> {
  add(resource: Resource, line: number): Promise<void>;
  addVersion(version: Version): Promise<void>;
  end(): Promise<void>;
}

/** Receives the records of an archive: all collections at once. Other sections are only counted. */
export interface ArchiveSinks {
  collections: (collections: readonly ArchivedCollection[]) => Promise<void>;
  templates: SectionSink<ArchivedTemplate, ArchivedTemplateVersion>;
  documents: SectionSink<ArchivedDocument, ArchivedVersion>;
}

/** Passes the records of an archive to their sinks. Times must not be after `latest`. Throws `bad_request`. */
export async function importSections(
  records: AsyncIterable<ArchiveRecord>,
  { collections, templates, documents }: ArchiveSinks,
  latest: Date,
  afterEach: () => void,
): Promise<void> {
  const tree = new CollectionSectionImport(collections, latest);
  const sections = [
    tree,
    new SectionImport(TEMPLATE_LINES, templates, latest),
    new SectionImport(DOCUMENT_LINES, documents, latest, (document) => tree.placeProblem(document)),
  ];
  let line = 1;
  let current: { end(line: number): Promise<void> } | undefined;
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
  private resource: R | undefined;
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

  private requireAllVersions(line: number): void {
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

function atLine<Result>(line: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw inLine(line, error);
  }
}
