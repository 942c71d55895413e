import type { Person } from '../../access/auth/person.js';
import type { Database } from '../../../platform/database/database.js';
import { newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { keepContent, makeDelta, type KeptDeltas } from './reverse-deltas.js';
import type { SupersededVersion, VersionRow, VersionStore } from './version-store.js';
import type { VersionedState, VersionHistory } from './versioned-resource.js';

const BATCH_ROWS = 500;
const BATCH_BYTES = 4 * 1024 ** 2;

/** What an import asks of what is around it. */
export interface ImportSurroundings {
  database: Database;
  accountId: string;
  /** The user of the account that a person of the archive is. */
  userOf: (person: Person) => string;
  /** Told of what could not keep its id. */
  renamed: (from: string, to: string) => Promise<void>;
}

/** A resource as an archive holds it, with its current version. */
type ArchivedResource<State extends object> = State &
  VersionHistory & { id: string; version: number };

/** A resource on its way into the account. */
export interface Incoming<Archived> {
  archived: Archived;
  /** Its own where that is free. */
  id: string;
  /** Kept between it and the newest version that is kept whole, as far as its versions have come. */
  deltas: KeptDeltas;
}

/** Writes resources, all but those whose id is taken; the ids that were written. */
type InsertResources<Archived> = (
  resources: readonly Incoming<Archived>[],
) => Promise<ReadonlySet<string>>;

/**
 * Writes archived resources with their versions, which are kept as deltas again. Give each resource, then its versions,
 * the newest first, and call `end` after the last one. Everything is in the transaction of the database.
 */
export class VersionImport<State extends VersionedState, Archived extends ArchivedResource<State>> {
  private resources: Incoming<Archived>[] = [];
  private versions: (VersionRow<State> & { owner: Incoming<Archived> })[] = [];
  private readonly written = new WeakSet<Incoming<Archived>>();
  private bytes = 0;
  private current: Incoming<Archived> | undefined;
  /** What the next version is a delta of. */
  private newer: State | undefined;
  /** Kept since the last version that is kept whole. */
  private run: KeptDeltas = NONE;

  constructor(
    private readonly around: ImportSurroundings,
    private readonly store: Pick<
      VersionStore<object, VersionedState & State>,
      'insert' | 'setDeltas'
    >,
    private readonly insert: InsertResources<Archived>,
  ) {}

  async add(archived: Archived): Promise<void> {
    await this.endResource();
    await this.makeRoom();
    const deltas = { ...NONE };
    this.current = { archived, id: archived.id, deltas };
    this.resources.push(this.current);
    this.newer = archived;
    this.run = deltas;
    this.bytes += textIn(archived);
  }

  async addVersion(version: SupersededVersion<State>): Promise<void> {
    const { current: owner, newer, run } = this;
    if (!owner || !newer) throw new Error('A version came before what it is a version of.');
    await this.makeRoom();
    const { delta, ...kept } = keepContent(
      { ...run, content: version.content },
      makeDelta(newer.content, version.content),
    );
    // Until a version is kept whole, `run` is what the resource itself is told.
    if (delta === null) this.run = { ...NONE };
    else Object.assign(run, kept);
    const authorId = version.author && this.around.userOf(version.author);
    this.versions.push({ owner, ownerId: owner.id, version, authorId, newer, delta });
    this.newer = version;
    this.bytes += delta?.length ?? version.content.length;
  }

  async end(): Promise<void> {
    await this.endResource();
    await this.flush();
  }

  /** What was written before its last version came has to be told what is kept of them. */
  private async endResource(): Promise<void> {
    const { current, around } = this;
    this.current = undefined;
    if (!current || !this.written.has(current) || current.deltas.deltaCount === 0) return;
    await this.store.setDeltas({ accountId: around.accountId, id: current.id }, current.deltas);
  }

  private async makeRoom(): Promise<void> {
    const rows = this.resources.length + this.versions.length;
    if (rows >= BATCH_ROWS || this.bytes >= BATCH_BYTES) await this.flush();
  }

  private async flush(): Promise<void> {
    const { resources, versions } = this;
    [this.resources, this.versions, this.bytes] = [[], [], 0];
    await this.writeResources(resources);
    if (versions.length === 0) return;
    const rows = versions.map((row) => ({ ...row, ownerId: row.owner.id }));
    await this.store.insert(this.around.accountId, rows);
  }

  private async writeResources(resources: readonly Incoming<Archived>[]): Promise<void> {
    let left = resources;
    while (left.length > 0) {
      const written = await this.insert(left);
      for (const resource of left) if (written.has(resource.id)) this.written.add(resource);
      left = left.filter((resource) => !this.written.has(resource));
      for (const resource of left) {
        resource.id = newUuid();
        await this.around.renamed(resource.archived.id, resource.id);
      }
    }
  }
}

const NONE: KeptDeltas = { deltaBytes: 0, deltaCount: 0 };

/** UTF-16 units of all texts of a resource. */
function textIn(archived: object): number {
  return Object.values(archived).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );
}
