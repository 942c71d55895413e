import { Injectable } from '@nestjs/common';
import { AccessFactory } from '../../auth/access/access-factory.js';
import { includesRight, type Right } from '../../auth/access/rights.js';
import {
  PresenceRepository,
  type AccountDocument,
  type FoundPresence,
  type Present,
} from './presence.repository.js';

/** Reads who is in documents and has the right to be there now: viewers can view, and editors can edit. */
@Injectable()
export class PermittedPresence {
  constructor(
    private readonly presence: PresenceRepository,
    private readonly accesses: AccessFactory,
  ) {}

  /**
   * Returns who is in each document, in the order of the documents; undefined for one that does not exist. Those who lost
   * their right are left out at once, although their entries end later. Looks up no right in an account that never had a
   * collection.
   */
  async list(documents: readonly AccountDocument[]): Promise<(FoundPresence | undefined)[]> {
    const lists = await this.presence.list(documents);
    return Promise.all(
      documents.map(async ({ accountId }, index) => {
        const list = lists[index];
        return list === undefined || list.epoch === '0'
          ? list
          : await this.permitted(accountId, list);
      }),
    );
  }

  private async permitted(accountId: string, list: FoundPresence): Promise<FoundPresence> {
    const entries: Present[] = [];
    for (const entry of list.entries) {
      const right = await this.rightOf(accountId, entry, list);
      if (right === null) continue;
      entries.push(includesRight(right, 'editor') ? entry : { ...entry, state: 'viewing' });
    }
    const total = list.total - (list.entries.length - entries.length);
    return {
      ...list,
      entries: [...entries.filter(isEditing), ...entries.filter(isViewing)],
      total,
    };
  }

  private async rightOf(
    accountId: string,
    { userId, role, collections }: Present,
    { collectionId, epoch }: FoundPresence,
  ): Promise<Right | null> {
    if (role === null) return null;
    const visitor = { userId, role, collections };
    const rights = await this.accesses.rightsOf({ accountId, epoch, visitor });
    return rights.of(collectionId) ?? null;
  }
}

const isEditing = ({ state }: Present) => state === 'editing';
const isViewing = ({ state }: Present) => state === 'viewing';
