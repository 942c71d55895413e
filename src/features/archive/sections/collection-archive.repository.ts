import { In } from 'typeorm';
import { z } from 'zod';
import { encodeId, newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { isBlank, isLongerThan } from '../../../platform/basics/text.js';
import { MAX_INT32 } from '../../../platform/openapi/schemas.js';
import { includesRight, RIGHTS, type Right } from '../../auth/access/rights.js';
import { presentPerson, type Person } from '../../auth/person.js';
import { MAX_COLLECTIONS, MAX_DEPTH, MAX_NAME_CHARACTERS } from '../../collections/collection.js';
import { MAX_PEOPLE } from '../../collections/dto/collection-access.dto.js';
import type { CollectionEntity } from '../../collections/entities/collection.entity.js';
import {
  checked,
  oneOf,
  parseLine,
  person,
  read,
  throwProblems,
  time,
  uuid,
  wholeNumber,
} from '../../content/versioning/archive-schemas.js';
import type { ArchiveRepository } from '../archive.repository.js';

/** The access of a collection in an archive, with people instead of their IDs: an import looks for them by address too. */
interface ArchivedAccess {
  everyone: Right | null;
  people: { user: Person; right: Right }[];
}

/** A collection in an archive. IDs are UUIDs. */
export interface ArchivedCollection extends Pick<
  CollectionEntity,
  'id' | 'name' | 'parentId' | 'version' | 'createdAt' | 'updatedAt' | 'deletedAt'
> {
  access: ArchivedAccess | null;
  /** Null once that person has left the account. */
  createdBy: Person | null;
}

/** Returns all collections of an account as records, with the deleted ones that documents in the trash refer to. */
export async function readCollections(
  store: ArchiveRepository,
  accountId: string,
): Promise<object[]> {
  const rows = await store.collections.find({
    where: { accountId },
    order: { createdAt: 'ASC', id: 'ASC' },
  });
  const ids = rows.flatMap(({ access, createdBy }) => [
    createdBy,
    ...(access?.people.map(({ userId }) => userId) ?? []),
  ]);
  const people = await store.readPeople(ids.filter((id) => id !== null));
  const shown = (id: string | null) => {
    const found = people.get(id ?? '');
    return found ? presentPerson(found) : null;
  };
  return rows.map(({ access, ...row }) => ({
    id: encodeId('collection', row.id),
    name: row.name,
    parentId: row.parentId && encodeId('collection', row.parentId),
    access: access && {
      everyone: access.everyone,
      people: access.people.flatMap(({ userId, right }) => {
        const user = shown(userId);
        return user ? [{ user, right }] : [];
      }),
    },
    createdBy: shown(row.createdBy),
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    deletedAt: row.deletedAt,
  }));
}

function nameProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (isBlank(value)) return 'must not be blank';
  if (/\p{Cc}/u.test(value)) return 'must be one line, without control characters';
  return isLongerThan(value, MAX_NAME_CHARACTERS)
    ? `must not be longer than ${String(MAX_NAME_CHARACTERS)} characters`
    : undefined;
}

const right = oneOf(RIGHTS);
const ACCESS = z.strictObject({
  everyone: right.nullable(),
  people: z.array(z.strictObject({ user: person, right })).max(MAX_PEOPLE),
});

const SCHEMA = z.strictObject({
  record: oneOf(['collection']),
  id: uuid('collection'),
  name: checked<string>(nameProblem),
  parentId: uuid('collection').nullable(),
  access: read<ArchivedAccess | null>(
    (value) => ACCESS.nullable().safeParse(value).data,
    `must be null, or everyone and at most ${String(MAX_PEOPLE)} people with a right of ${RIGHTS.join(', ')}`,
  ),
  createdBy: person.nullable(),
  version: wholeNumber(1, MAX_INT32),
  createdAt: time,
  updatedAt: time,
  deletedAt: time.nullable(),
});

/** Returns the collection of a parsed line. Throws `bad_request` listing every problem. */
export function collectionOf(value: Record<string, unknown>, latest: Date): ArchivedCollection {
  const collection = parseLine(SCHEMA, value);
  const { createdAt, updatedAt, deletedAt } = collection;
  const times = Object.entries({ createdAt, updatedAt, deletedAt: deletedAt ?? createdAt });
  const problems = (isWrong: (time: Date) => boolean, issue: string) =>
    times.filter(([, time]) => isWrong(time)).map(([field]) => ({ field, issue }));
  throwProblems([
    ...problems((time) => time > latest, 'must not be in the future'),
    ...problems((time) => time < createdAt, 'must not be before createdAt'),
  ]);
  return collection;
}

interface TreeProblem extends FieldProblem {
  line: number;
}

/**
 * Returns the first problem of the collections of an archive as a tree, or undefined: an unknown parent, a deleted parent of
 * an existing collection, a cycle, or more levels or collections than an account can have.
 */
export function treeProblem(
  collections: ReadonlyMap<string, ArchivedCollection & { line: number }>,
): TreeProblem | undefined {
  let existing = 0;
  for (const { id, parentId, deletedAt, line } of collections.values()) {
    if (deletedAt === null) existing += 1;
    if (existing > MAX_COLLECTIONS) {
      const issue = `follows ${String(MAX_COLLECTIONS)} collections, which is the maximum`;
      return { line, field: 'line', issue };
    }
    let levels = 1;
    for (let above = parentId; above !== null; levels += 1) {
      const parent = collections.get(above);
      if (!parent) return { line, field: 'parentId', issue: 'is not a collection of the archive' };
      if (deletedAt === null && parent.deletedAt !== null)
        return { line, field: 'parentId', issue: 'is a deleted collection' };
      if (levels > collections.size || above === id)
        return { line, field: 'parentId', issue: 'is this collection, or is below it' };
      above = parent.parentId;
    }
    if (deletedAt === null && levels > MAX_DEPTH)
      return { line, field: 'parentId', issue: `leads to more than ${String(MAX_DEPTH)} levels` };
  }
  return undefined;
}

interface CollectionImportContext {
  accountId: string;
  /** Returns the member of this account for a person in the archive. */
  memberOf: (person: Person) => string | undefined;
  /** Records a collection that got a new id. */
  renamed: (from: string, to: string) => Promise<void>;
}

const BATCH_ROWS = 500;

/**
 * Imports archived collections. Access entries of people who are not members are dropped, and an access of its own stays
 * one, so nothing is open to more people than before.
 */
export class CollectionImport {
  /** New ids by the archived ones. */
  private readonly ids = new Map<string, string>();
  /** Number of dropped access entries. */
  dropped = 0;

  constructor(
    private readonly store: ArchiveRepository,
    private readonly context: CollectionImportContext,
  ) {}

  /** Inserts all collections of an archive, in any order. */
  async insert(collections: readonly ArchivedCollection[]): Promise<void> {
    const wanted = collections.map(({ id }) => id);
    const taken = await this.store.collections.findBy({ id: In(wanted) });
    const isTaken = new Set(taken.map(({ id }) => id));
    for (const id of wanted) {
      const own = isTaken.has(id) ? newUuid() : id;
      this.ids.set(id, own);
      if (own !== id) await this.context.renamed(id, own);
    }
    const rows = collections.map((collection) => this.rowOf(collection));
    for (let start = 0; start < rows.length; start += BATCH_ROWS)
      await this.store.collections.insert(rows.slice(start, start + BATCH_ROWS));
  }

  /** Returns the new id of an archived collection. */
  readonly idOf = (archived: string): string => {
    const id = this.ids.get(archived);
    if (id === undefined) throw new Error('A document is in a collection that was not imported.');
    return id;
  };

  private rowOf(collection: ArchivedCollection) {
    const { accountId, memberOf } = this.context;
    const { id, access, createdBy, parentId, name, version, ...times } = collection;
    const { createdAt, updatedAt, deletedAt } = times;
    return {
      ...{ name, version, createdAt, updatedAt, deletedAt },
      id: this.idOf(id),
      accountId,
      parentId: parentId && this.idOf(parentId),
      access: access && { everyone: access.everyone, people: this.peopleOf(access) },
      createdBy: (createdBy && memberOf(createdBy)) ?? null,
    };
  }

  private peopleOf({ people }: ArchivedAccess): { userId: string; right: Right }[] {
    const rights = new Map<string, Right>();
    for (const { user, right } of people) {
      const userId = this.context.memberOf(user);
      if (userId === undefined) this.dropped += 1;
      else if (!includesRight(rights.get(userId), right)) rights.set(userId, right);
    }
    return [...rights].map(([userId, right]) => ({ userId, right }));
  }
}
