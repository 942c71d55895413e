import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { AccountEntity } from '../access/auth/entities/account.entity.js';
import type { UserEntity } from '../access/auth/entities/user.entity.js';
import type { Person } from '../access/auth/person.js';
import { Database } from '../../platform/database/database.js';
import { changedUnits, storeContent, makeDelta } from '../content/text/reverse-deltas.js';
import { TemplateEntity } from './entities/template.entity.js';
import type { PatchableField, Template } from './template-fields.js';
import { TemplateVersions } from './template-versions.js';

/**
 * UTF-16 units. The content before a longer change is kept whole: comparing it would hold up the process, and templates
 * are few.
 */
const MAX_COMPARED = 16 * 1024;

/** A template as it is stored, with what writing its next version needs. */
export type StoredTemplate = Template &
  Pick<TemplateEntity, 'versionAuthor' | 'versionChanges' | 'deltaBytes' | 'deltaCount'>;

/** Templates and their versions in PostgreSQL. Whatever is called within a transaction joins it. */
@Injectable()
export class TemplateRepository {
  constructor(
    private readonly database: Database,
    private readonly versions: TemplateVersions,
  ) {}

  /** How many the account has; until the transaction ends, others that count them wait. */
  async countForInsert(accountId: string): Promise<number> {
    // Writing of documents goes on: their foreign keys need less than this lock keeps others from.
    await this.database.repository(AccountEntity).findOne({
      select: { id: true },
      where: { id: accountId },
      lock: { mode: 'for_no_key_update' },
    });
    return this.templates.countBy({ accountId });
  }

  async insert(template: Template): Promise<void> {
    await this.templates.insert({ ...template, createdBy: template.createdBy?.id ?? null });
  }

  /** Writes the next version of a template that {@link findForChange} gave. What it was becomes its version before. */
  async update(
    before: StoredTemplate,
    after: Template,
    changes: readonly PatchableField[],
    authorId: string,
  ): Promise<void> {
    const { id, accountId, version, updatedAt } = after;
    const isLong = changedUnits(before.content, after.content) > MAX_COMPARED;
    const { delta, ...kept } = storeContent(
      before,
      isLong ? null : makeDelta(after.content, before.content),
    );
    await this.versions.insert(accountId, [
      {
        ownerId: id,
        version: {
          ...before,
          number: before.version,
          changes: before.versionChanges ?? [],
          createdAt: before.updatedAt,
        },
        authorId: before.versionAuthor ?? before.createdBy?.id ?? null,
        newer: after,
        delta,
      },
    ]);
    const changed = Object.fromEntries(changes.map((field) => [field, after[field]]));
    const versionOrigin = { versionAuthor: authorId, versionChanges: [...changes] };
    await this.templates.update(
      { id, accountId },
      { ...changed, version, updatedAt, ...versionOrigin, ...kept },
    );
  }

  /** Removes a template; its versions go with it. */
  async remove({ id, accountId }: Template): Promise<void> {
    await this.templates.delete({ id, accountId });
  }

  /** The template, unless it is another account's. */
  async find(accountId: string, id: string): Promise<Template | undefined> {
    const found = await this.templates.findOne({
      where: { id, accountId },
      relations: { creator: true },
    });
    return found ? templateOf(found) : undefined;
  }

  /** The same, which nobody else changes until the transaction ends. */
  async findForChange(accountId: string, id: string): Promise<StoredTemplate | undefined> {
    const found = await this.templates
      .createQueryBuilder('template')
      .leftJoinAndSelect('template.creator', 'creator')
      .where({ id, accountId })
      .setLock('pessimistic_write', undefined, ['template'])
      .getOne();
    return found ? templateOf(found) : undefined;
  }

  private get templates(): Repository<TemplateEntity> {
    return this.database.repository(TemplateEntity);
  }
}

/** A template that was read with its `creator`. */
export function templateOf({ creator, ...template }: TemplateEntity): StoredTemplate {
  return { ...template, createdBy: personOf(creator) };
}

export function personOf(user: UserEntity | null): Person | null {
  return user && { id: user.id, name: user.name, email: user.email };
}
