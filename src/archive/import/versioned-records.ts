import type { IdKind } from '../../identifiers/identifiers.js';
import type { RecordName } from '../archive-format.js';
import type { ArchiveRecord } from './archive-records.js';
import { inLine, lineProblem } from './line-problem.js';
import type { SectionImport } from './section-import.js';

/** A thing with versions, as it is now. */
export interface Versioned {
  id: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A version of it that was replaced. */
export interface Replaced {
  number: number;
  createdAt: Date;
}

/** How a section of things with versions is read. The readers throw `bad_request`. */
export interface VersionedForm<Thing extends Versioned, Version extends Replaced> {
  kind: IdKind;
  /** The record of a thing; the other one of its section is that of a version. */
  record: RecordName;
  read: (value: Record<string, unknown>, latest: Date) => Thing;
  readVersion: (value: Record<string, unknown>, latest: Date) => Version;
  /** The member of a version that names its thing, and whom it names. */
  owner: { member: string; of: (version: Version) => string };
}

/** Where they go: each thing, then its versions, the newest first. */
export interface VersionedSink<Thing, Version> {
  add(thing: Thing, line: number): Promise<void>;
  addVersion(version: Version): Promise<void>;
  end(): Promise<void>;
}

/** Takes the records of a section: each thing with every version it had before, the newest first, without a gap. */
export class VersionedRecords<
  Thing extends Versioned,
  Version extends Replaced,
> implements SectionImport {
  private thing: Thing | undefined;
  /** The number of the version that must come next; 0 when there is none. */
  private expected = 0;
  private newerAt = new Date(0);

  constructor(
    private readonly form: VersionedForm<Thing, Version>,
    private readonly sink: VersionedSink<Thing, Version>,
    /** No time in an archive is later. */
    private readonly latest: Date,
  ) {}

  async take({ line, name, value }: ArchiveRecord): Promise<void> {
    if (name === this.form.record) {
      this.requireAllVersions(line);
      const thing = judged(line, () => this.form.read(value, this.latest));
      this.thing = thing;
      this.expected = thing.version - 1;
      this.newerAt = thing.updatedAt;
      await this.sink.add(thing, line);
    } else {
      const version = judged(line, () => this.form.readVersion(value, this.latest));
      this.requirePlace(line, version);
      this.expected -= 1;
      this.newerAt = version.createdAt;
      await this.sink.addVersion(version);
    }
  }

  async end(line: number): Promise<void> {
    this.requireAllVersions(line);
    await this.sink.end();
  }

  private requireAllVersions(line: number): void {
    if (this.expected > 0) {
      const issue = `must be version ${String(this.expected)} of the ${this.form.kind} before`;
      throw lineProblem(line, 'line', issue);
    }
  }

  private requirePlace(line: number, version: Version): void {
    const { owner, kind } = this.form;
    if (!this.thing || owner.of(version) !== this.thing.id) {
      throw lineProblem(line, owner.member, `must be the id of the ${kind} before`);
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

function judged<Result>(line: number, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw inLine(line, error);
  }
}
