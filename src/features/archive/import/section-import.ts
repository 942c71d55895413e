import {
  readDocument,
  readVersion,
  type ArchivedDocument,
  type ArchivedVersion,
} from '../../documents/document-archive.repository.js';
import type { IdKind } from '../../../platform/basics/identifiers/identifiers.js';
import {
  TEMPLATE_LINES,
  type ArchivedTemplate,
  type ArchivedTemplateVersion,
} from '../../templates/template-archive.repository.js';
import type { RecordName } from '../archive-format.js';
import { inLine, lineProblem, type ArchiveRecord } from './archive-records.js';

/** Where the things of a section go: each thing, then the versions it had before, the newest first. */
export interface SectionSink<Thing, Version> {
  add(thing: Thing, line: number): Promise<void>;
  addVersion(version: Version): Promise<void>;
  end(): Promise<void>;
}

/** Where an archive goes. Its other sections are only counted. */
export interface ArchiveSinks {
  templates: SectionSink<ArchivedTemplate, ArchivedTemplateVersion>;
  documents: SectionSink<ArchivedDocument, ArchivedVersion>;
}

/** Hands the records of an archive to their sinks. No time in it may be after `latest`. Throws `bad_request`. */
export async function importSections(
  records: AsyncIterable<ArchiveRecord>,
  { templates, documents }: ArchiveSinks,
  latest: Date,
  afterEach: () => void,
): Promise<void> {
  const sections = [
    new SectionImport(TEMPLATES, templates, latest),
    new SectionImport(DOCUMENTS, documents, latest),
  ];
  let line = 1;
  let current: { end(line: number): Promise<void> } | undefined;
  for await (const record of records) {
    const section = sections.find(({ names }) => names.includes(record.name));
    if (current && current !== section) await current.end(record.line);
    current = section;
    await section?.take(record);
    line = record.line;
    afterEach();
  }
  await current?.end(line + 1);
}

interface Thing {
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

/** How the records of a section are read. Readers throw `bad_request`. */
interface SectionFormat<T extends Thing, V extends Version> {
  kind: IdKind;
  /** The names of the record of a thing, and of a version. */
  names: readonly [RecordName, RecordName];
  read: (value: Record<string, unknown>, latest: Date) => T;
  readVersion: (value: Record<string, unknown>, latest: Date) => V;
  /** The member of a version's line that names its thing. */
  owner: string;
}

const DOCUMENTS: SectionFormat<ArchivedDocument, ArchivedVersion> = {
  kind: 'document',
  names: ['document', 'version'],
  read: readDocument,
  readVersion,
  owner: 'documentId',
};

const TEMPLATES: SectionFormat<ArchivedTemplate, ArchivedTemplateVersion> = {
  kind: 'template',
  names: ['template', 'templateVersion'],
  read: (value, latest) => TEMPLATE_LINES.read(value, latest),
  readVersion: (value, latest) => TEMPLATE_LINES.readVersion(value, latest),
  owner: 'templateId',
};

/** Takes the records of one section: each thing with every version it had before, the newest first, without a gap. */
class SectionImport<T extends Thing, V extends Version> {
  private thing: T | undefined;
  /** The number of the version that must come next; 0 when there is none. */
  private expected = 0;
  private newerAt = new Date(0);

  constructor(
    private readonly format: SectionFormat<T, V>,
    private readonly sink: SectionSink<T, V>,
    private readonly latest: Date,
  ) {}

  get names(): readonly RecordName[] {
    return this.format.names;
  }

  async take({ line, name, value }: ArchiveRecord): Promise<void> {
    if (name === this.format.names[0]) {
      this.requireAllVersions(line);
      const thing = atLine(line, () => this.format.read(value, this.latest));
      this.thing = thing;
      this.expected = thing.version - 1;
      this.newerAt = thing.updatedAt;
      await this.sink.add(thing, line);
    } else {
      const version = atLine(line, () => this.format.readVersion(value, this.latest));
      this.requirePlace(line, version);
      this.expected -= 1;
      this.newerAt = version.createdAt;
      await this.sink.addVersion(version);
    }
  }

  /** After the last record; `line` is the one that follows. */
  async end(line: number): Promise<void> {
    this.requireAllVersions(line);
    await this.sink.end();
  }

  private requireAllVersions(line: number): void {
    if (this.expected > 0) {
      const issue = `must be version ${String(this.expected)} of the ${this.format.kind} before`;
      throw lineProblem(line, 'line', issue);
    }
  }

  private requirePlace(line: number, version: V): void {
    const { owner, kind } = this.format;
    if (version.ownerId !== this.thing?.id) {
      throw lineProblem(line, owner, `must be the id of the ${kind} before`);
    }
    if (version.number !== this.expected) {
      const wanted =
        this.expected > 0
          ? `must be ${String(this.expected)}`
          : `is one too many: the ${kind} has no further version`;
      throw lineProblem(line, 'number', wanted);
    }
    if (version.createdAt > this.newerAt || version.createdAt < this.thing.createdAt) {
      const issue = `must be between that of the ${kind} and that of the version after it`;
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
