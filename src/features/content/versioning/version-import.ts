import type { Person } from '../../auth/person.js';
import type { Database } from '../../../platform/database/database.js';
import { newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { storeContent, makeDelta, type DeltaTotals } from '../text/reverse-deltas.js';
import type { SupersededVersion, VersionRow, VersionRepository } from './version.repository.js';
import type { VersionedState, VersionHistory } from './versioned-resource.js';

const BATCH_ROWS = 500;
const BATCH_BYTES = 4 * 1024 ** 2;

/** The transaction, account and user mapping of an import. */
export interface ImportContext {
  database: Database;
  accountId: string;
  /** Returns the user of this account for a person in the archive. */
  userOf: (person: Person) => string;
  /** Records a resource that got a new id. */
  renamed: (from: string, to: string) => Promise<void>;
}

/** A resource in an archive, with its current version. */
type ArchivedResource<State extends object> = State &
  VersionHistory & { id: string; version: number };

/** A resource that is being imported. */
export interface Incoming<Archived> {
  archived: Archived;
  /** The archived id, or a new one if that is taken. */
  id: string;
  /** Totals of the deltas since the last version that is stored in full, for the versions read so far. */
  deltas: DeltaTotals;
  /** UTF-8 bytes of the texts of the versions read so far. */
  versionBytes: number;
}

/** Inserts resources except those whose id is taken. Returns the ids it inserted. */
type InsertResources<Archived> = (
  resources: readonly Incoming<Archived>[],
) => Promise<ReadonlySet<string>>;

/**
 * Inserts archived resources with their versions, stored as deltas, in the caller's transaction. Call `add` for each
 * resource, `addVersion` for its versions, newest first, and `end` after the last one.
 */
export class VersionImport<State extends VersionedState, Archived extends ArchivedResource<State>> {
  private resources: Incoming<Archived>[] = [];
  private versions: (VersionRow<State> & { owner: Incoming<Archived> })[] = [];
  private readonly written = new WeakSet<Incoming<Archived>>();
  private bytes = 0;
  protected current: Incoming<Archived> | undefined;
  /** The base of the next version's delta. */
  private newer: State | undefined;
  /** Totals since the last version that is stored in full. */
  private totals: DeltaTotals = NONE;

  constructor(
    protected readonly context: ImportContext,
    private readonly repository: Pick<
      VersionRepository<object, VersionedState & State>,
      'insert' | 'setDeltas'
    >,
    private readonly insert: InsertResources<Archived>,
  ) {}

  async add(archived: Archived): Promise<void> {
    await this.endResource();
    await this.flushIfFull();
    const deltas = { ...NONE };
    this.current = { archived, id: archived.id, deltas, versionBytes: 0 };
    this.resources.push(this.current);
    this.newer = archived;
    this.totals = deltas;
    this.bytes += textIn(archived);
  }

  async addVersion(version: SupersededVersion<State>): Promise<void> {
    const { current: owner, newer, totals } = this;
    if (!owner || !newer) throw new Error('A version precedes its resource.');
    await this.flushIfFull();
    const { delta, ...next } = storeContent(
      { ...totals, content: version.content },
      makeDelta(newer.content, version.content),
    );
    // Until a version is stored in full, `totals` is the object in the row of the resource.
    if (delta === null) this.totals = { ...NONE };
    else Object.assign(totals, next);
    const authorId = version.author && this.context.userOf(version.author);
    this.versions.push({ owner, ownerId: owner.id, version, authorId, newer, delta });
    this.newer = version;
    this.bytes += delta?.length ?? version.content.length;
  }

  async end(): Promise<void> {
    await this.endResource();
    await this.flush();
  }

  private async endResource(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    if (current && this.written.has(current)) await this.endVersions(current);
  }

  /** Updates the totals of a resource that was inserted before its last version was read. */
  protected async endVersions({ id, deltas }: Incoming<Archived>): Promise<void> {
    if (deltas.deltaCount === 0) return;
    await this.repository.setDeltas({ accountId: this.context.accountId, id }, deltas);
  }

  private async flushIfFull(): Promise<void> {
    const rows = this.resources.length + this.versions.length;
    if (rows >= BATCH_ROWS || this.bytes >= BATCH_BYTES) await this.flush();
  }

  /** Writes what was read so far. */
  protected async flush(): Promise<void> {
    const { resources, versions } = this;
    [this.resources, this.versions, this.bytes] = [[], [], 0];
    await this.writeResources(resources);
    if (versions.length === 0) return;
    const rows = versions.map((row) => ({ ...row, ownerId: row.owner.id }));
    await this.repository.insert(this.context.accountId, rows);
  }

  private async writeResources(resources: readonly Incoming<Archived>[]): Promise<void> {
    let pending = resources;
    while (pending.length > 0) {
      const written = await this.insert(pending);
      for (const resource of pending) if (written.has(resource.id)) this.written.add(resource);
      pending = pending.filter((resource) => !this.written.has(resource));
      for (const resource of pending) {
        resource.id = newUuid();
        await this.context.renamed(resource.archived.id, resource.id);
      }
    }
  }
}

const NONE: DeltaTotals = { deltaBytes: 0, deltaCount: 0 };

/** Returns the length of all strings in a resource, in UTF-16 code units. */
function textIn(archived: object): number {
  return Object.values(archived).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );
}
