import { Database } from '../../../platform/database/database.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { readNumberedItems, type Page } from '../../../platform/http/pagination/read-page.js';
import type { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { applyDeltas } from './delta-chain.js';
import { columnOf, fieldIn, fieldsWith } from './field-map.js';
import type { KeptDeltas } from './reverse-deltas.js';
import {
  authorOf,
  keptFields,
  versionStatements,
  type AuthorRow,
  type Version,
  type VersionedResource,
  type VersionedState,
  type VersionHistory,
  type VersionStatements,
} from './versioned-resource.js';

/** Whose versions. Ids are UUIDs. */
interface VersionsOf {
  accountId: string;
  id: string;
}

/** A version that a later one has replaced. */
export type SupersededVersion<State extends object> = Version<State> & { ownerId: string };

/** The same as it is written. */
export interface VersionRow<State extends object> {
  ownerId: string;
  version: State & Omit<VersionHistory, 'author'> & { number: number; createdAt: Date };
  /** The user who made it. */
  authorId: string | null;
  /** What it is kept as a delta of, and what it shares with. */
  newer: State;
  /** Makes its content from the content of `newer`; null when its content is kept whole. */
  delta: string | null;
}

type ListedRow<Listed extends object> = Omit<Version<Listed>, 'author'> & AuthorRow;
type FoundRow = VersionedState & AuthorRow & { deltas: string[] | null };
type ArchivedRow = AuthorRow &
  Omit<VersionHistory, 'author'> & {
    ownerId: string;
    number: number;
    createdAt: Date;
    content: string | null;
    delta: string | null;
  };

/** From 1, and within what the column holds. */
const NUMBER = /^[1-9]\d{0,8}$/;

/**
 * The versions of a kind of resource, each a whole `State` of which lists show what `Listed` has. The current one is in
 * the row of the resource; the content of an older one is made from a later one.
 */
export class VersionStore<Listed extends object, State extends Listed & VersionedState> {
  private readonly statements: VersionStatements;
  private readonly kept: readonly string[];
  private readonly ifChanged: readonly string[];

  constructor(
    private readonly database: Pick<Database, 'run'>,
    private readonly resource: VersionedResource,
  ) {
    this.statements = versionStatements(resource);
    this.kept = keptFields(resource);
    this.ifChanged = fieldsWith(resource.fields, 'versioned', 'if changed');
  }

  /** One page. Versions are numbered without a gap, so a page is a range of numbers. Throws `bad_request`. */
  async page(
    owner: VersionsOf & { version: number },
    query: PageQueryDto,
  ): Promise<Page<Version<Listed>>> {
    return readNumberedItems(
      {
        ownerId: owner.id,
        total: owner.version,
        read: (first, last) => this.list(owner, first, last),
      },
      query,
    );
  }

  /** A whole version, the current one too. */
  async find({ accountId, id }: VersionsOf, number: number): Promise<Version<State> | undefined> {
    const [row] = await this.database.run<FoundRow>(this.statements.find, [id, accountId, number]);
    if (!row) return undefined;
    const { deltas, ...version } = row;
    const content = applyDeltas(row.content, deltas ?? []);
    return { ...version, content, author: authorOf(row) } as unknown as Version<State>;
  }

  /** The same of a number in a path. Throws `not_found`. */
  async get(owner: VersionsOf, number: string): Promise<Version<State>> {
    const version = NUMBER.test(number) ? await this.find(owner, Number(number)) : undefined;
    if (!version) throw notFound('version');
    return version;
  }

  /** Writes versions that later ones have replaced. */
  async insert(accountId: string, versions: readonly VersionRow<State>[]): Promise<void> {
    const rows = versions.map((version) => this.rowOf(version));
    await this.database.run(this.statements.insert, [JSON.stringify(rows), accountId]);
  }

  /** Says what is kept between the resource and the newest of its versions that is kept whole. */
  async setDeltas({ accountId, id }: VersionsOf, kept: KeptDeltas): Promise<void> {
    const values = [id, accountId, kept.deltaBytes, kept.deltaCount];
    await this.database.run(this.statements.setDeltas, values);
  }

  /**
   * The versions that resources had before, resource by resource, the newest first, each made whole from the one after it.
   * Fails when one is missing.
   */
  async *superseded(
    accountId: string,
    owners: readonly (State & { id: string; version: number })[],
  ): AsyncGenerator<SupersededVersion<State>, void> {
    let left = owners.filter(({ version }) => version > 1);
    let below = left[0]?.version ?? 1;
    let next: State | undefined = left[0];
    while (left.length > 0) {
      const numbers = left.map(({ version }, index) => (index === 0 ? below : version));
      const values = [left.map(({ id }) => id), numbers, accountId];
      const rows = await this.database.run<ArchivedRow>(this.statements.archive, values);
      if (rows.length === 0) throw new Error(`A ${this.resource.kind} lacks its versions.`);
      for (const row of rows) {
        if (!next || row.ownerId !== left[0]?.id || row.number !== below - 1) {
          throw new Error(`A ${this.resource.kind} lacks one of its versions.`);
        }
        const version = this.wholeVersion(row, next);
        yield version;
        [next, below] = [version, row.number];
        if (below > 1) continue;
        left = left.slice(1);
        [next, below] = [left[0], left[0]?.version ?? 1];
      }
    }
  }

  /** Versions `first` to `last`, both included, the oldest first. */
  private async list(
    { accountId, id }: VersionsOf,
    first: number,
    last: number,
  ): Promise<Version<Listed>[]> {
    const values = [id, accountId, first, last];
    const rows = await this.database.run<ListedRow<Listed>>(this.statements.list, values);
    return rows.map((row) => ({ ...row, author: authorOf(row) }) as unknown as Version<Listed>);
  }

  private wholeVersion(row: ArchivedRow, next: State): SupersededVersion<State> {
    const own = row as unknown as Readonly<Record<string, unknown>>;
    const later = next as Readonly<Record<string, unknown>>;
    const version: Record<string, unknown> = { ...own };
    for (const name of this.ifChanged) version[name] = own[name] ?? later[name];
    version['content'] = row.content ?? applyDeltas(next.content, [row.delta ?? '[]']);
    version['author'] = authorOf(row);
    return version as unknown as SupersededVersion<State>;
  }

  private rowOf({ ownerId, version, authorId, newer, delta }: VersionRow<State>): object {
    const { fields } = this.resource;
    const [own, later] = [version, newer] as Readonly<Record<string, unknown>>[];
    const kept = this.kept.map((name) => {
      const isShared =
        fieldIn(fields, name).versioned === 'if changed' && own?.[name] === later?.[name];
      return [columnOf(fields, name), isShared ? null : own?.[name]];
    });
    return {
      ...(Object.fromEntries(kept) as object),
      owner: ownerId,
      number: version.number,
      content: delta === null ? version.content : null,
      delta,
      author: authorId,
      changes: version.changes,
      created_at: version.createdAt,
    };
  }
}
