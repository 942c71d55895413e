import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { MembershipsRepository } from '../auth/accounts/memberships.repository.js';
import type { Access } from '../auth/access/access.js';
import type { StoredAccess } from '../auth/access/rights.js';
import type { RequestContext } from '../auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { invalidFields, type FieldProblem } from '../../platform/basics/errors/app-error.js';
import { decodeId, encodeId } from '../../platform/basics/identifiers/identifiers.js';
import {
  changed,
  noLongerManaged,
  notMember,
  repeatedPerson,
  type Collection,
} from './collection.js';
import { collectionEvent, requireUnchanged, type Target } from './collection.presenter.js';
import { CollectionTreeService } from './collection-tree.service.js';
import { CollectionsRepository } from './collections.repository.js';
import type {
  AccessDto,
  CollectionAccessDto,
  NamedAccessDto,
} from './dto/collection-access.dto.js';

/** The access of everyone at the root. */
const AT_ROOT: StoredAccess = { everyone: 'editor', people: [] };

/** The access of a collection, with the version of the collection. */
interface VersionedAccess extends Pick<Collection, 'version'> {
  shown: CollectionAccessDto;
}

/** Reads and sets who can use a collection. Methods throw `not_found`, and `forbidden` for who does not manage it. */
@Injectable()
export class CollectionAccessService {
  constructor(
    private readonly tree: CollectionTreeService,
    private readonly collections: CollectionsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly clock: Clock,
  ) {}

  async read(access: Access, id: string): Promise<VersionedAccess> {
    const collection = await this.tree.find(access, id);
    access.requireRight('manager', collection.id);
    return this.described(collection, access);
  }

  /**
   * Sets the own access of a collection, or removes it if `given` is null. Writes nothing if nothing changes. Throws
   * `bad_request` for people who are not members, `precondition_failed`, and `conflict` if the caller would no longer
   * manage the collection.
   */
  set(
    { id, preconditions }: Target,
    given: AccessDto | null,
    context: RequestContext,
  ): Promise<VersionedAccess> {
    return this.tree.locked(context, async (tree) => {
      const before = await this.tree.find(tree.access, id);
      tree.access.requireRight('manager', before.id);
      requireUnchanged(preconditions, before);
      const own = given && (await this.storedAccess(tree.accountId, given));
      if (isDeepStrictEqual(own, before.access)) return this.described(before, tree.access);
      const now = this.clock.now();
      const createdBy = makerAfter(before, context);
      const after = changed(before, { access: own, createdBy }, now);
      const access = this.tree.accessWith(tree, after, context);
      if (access.rightIn(after.id) !== 'manager') throw noLongerManaged();
      await this.collections.update(after);
      const details = { version: after.version, access: given && withoutNames(given) };
      await this.tree.record(
        { action: 'collection.access', resourceId: after.id, at: now, context, details },
        collectionEvent('collection.access_changed', after, now, context),
      );
      return this.described(after, access);
    });
  }

  /** Returns the stored form of an access. Throws `bad_request` for people who are not members, or are named twice. */
  async storedAccess(
    accountId: string,
    { everyone, people: given }: AccessDto,
  ): Promise<StoredAccess> {
    const people = given.map(({ userId, right }) => ({
      userId: decodeId('user', userId) ?? '',
      right,
    }));
    const ids = people.map(({ userId }) => userId);
    const names = await this.memberships.namesOf(
      accountId,
      ids.filter((id) => id !== ''),
    );
    const problems = ids.flatMap((id, index): FieldProblem[] => {
      if (!names.has(id)) return [notMember(index)];
      const first = ids.indexOf(id);
      return first === index ? [] : [repeatedPerson(index, first)];
    });
    const [problem, ...more] = problems;
    if (problem) throw invalidFields([problem, ...more]);
    return { everyone, people };
  }

  private async described(collection: Collection, access: Access): Promise<VersionedAccess> {
    const { accountId, version } = collection;
    const source = await this.collections.sourceOf(collection);
    const { everyone, people } = source?.access ?? AT_ROOT;
    const maker = source?.createdBy ?? null;
    const effective: StoredAccess = {
      everyone,
      people: [
        ...(maker === null ? [] : [{ userId: maker, right: 'manager' as const }]),
        ...people.filter(({ userId }) => userId !== maker),
      ],
    };
    const ids = [...(collection.access?.people ?? []), ...effective.people];
    const names = await this.memberships.namesOf(
      accountId,
      ids.map(({ userId }) => userId),
    );
    const isNamed = source && source.id !== collection.id && access.rightIn(source.id) !== null;
    return {
      version,
      shown: {
        access: collection.access && namedAccess(collection.access, names),
        inheritedFrom: isNamed
          ? { id: encodeId('collection', source.id), name: source.name }
          : null,
        effective: namedAccess(effective, names),
      },
    };
  }
}

/**
 * Returns who manages a collection as its maker from now on. Who restricts an open collection of somebody else decides
 * about that person too: it may have documents by now that its maker never saw.
 */
function makerAfter(
  { access, createdBy }: Collection,
  { principal }: RequestContext,
): string | null {
  return access === null && createdBy !== principal.user.id ? null : createdBy;
}

/** Returns an access as it was asked for. Names are read-only, so a client can send any. */
export function withoutNames({ everyone, people }: AccessDto): AccessDto {
  return { everyone, people: people.map(({ userId, right }) => ({ userId, right })) };
}

function namedAccess(
  { everyone, people }: StoredAccess,
  names: ReadonlyMap<string, string>,
): NamedAccessDto {
  return {
    everyone,
    people: people.map(({ userId, right }) => ({
      userId: encodeId('user', userId),
      name: names.get(userId) ?? '',
      right,
    })),
  };
}
