import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { AccountEntity } from '../auth/entities/account.entity.js';
import type { UserEntity } from '../auth/entities/user.entity.js';
import { Database } from '../database/database.js';
import { newUuid } from '../identifiers/identifiers.js';
import { TemplateVersionEntity } from './entities/template-version.entity.js';
import { TemplateEntity } from './entities/template.entity.js';
import {
  TEMPLATE_FIELDS,
  type Person,
  type Template,
  type TemplateField,
  type TemplateFields,
  type TemplateVersion,
} from './template.js';

/** Templates and their versions in PostgreSQL. Whatever is called within a transaction joins it. */
@Injectable()
export class TemplateRepository {
  constructor(private readonly database: Database) {}

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

  /** Writes a new template with its first version. */
  async insert(template: Template, authorId: string): Promise<void> {
    const { createdBy, ...columns } = template;
    await this.templates.insert({ ...columns, createdBy: createdBy?.id ?? null });
    await this.insertVersion(template, [], authorId);
  }

  /** Writes the next version of a template that {@link findForChange} gave. */
  async update(
    template: Template,
    changes: readonly TemplateField[],
    authorId: string,
  ): Promise<void> {
    const { id, accountId, version, updatedAt } = template;
    const changed = Object.fromEntries(changes.map((field) => [field, template[field]]));
    await this.templates.update({ id, accountId }, { ...changed, version, updatedAt });
    await this.insertVersion(template, changes, authorId);
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
  async findForChange(accountId: string, id: string): Promise<Template | undefined> {
    const found = await this.templates
      .createQueryBuilder('template')
      .leftJoinAndSelect('template.creator', 'creator')
      .where({ id, accountId })
      .setLock('pessimistic_write', undefined, ['template'])
      .getOne();
    return found ? templateOf(found) : undefined;
  }

  /** Whether the account has this template. */
  async exists(accountId: string, id: string): Promise<boolean> {
    return this.templates.existsBy({ id, accountId });
  }

  /** One version of a template, the current one too. */
  async findVersion(
    accountId: string,
    templateId: string,
    number: number,
  ): Promise<TemplateVersion | undefined> {
    const found = await this.versions.findOne({
      where: { templateId, accountId, number },
      relations: { maker: true },
    });
    if (!found) return undefined;
    const { maker, ...version } = found;
    return { ...version, author: personOf(maker) };
  }

  /** Each version is kept as a row of its own, the current one too. */
  private async insertVersion(
    template: Template,
    changes: readonly TemplateField[],
    author: string,
  ): Promise<void> {
    const { id, accountId, version, updatedAt } = template;
    const fields = Object.fromEntries(TEMPLATE_FIELDS.map((field) => [field, template[field]]));
    await this.versions.insert({
      ...(fields as unknown as TemplateFields),
      id: newUuid(),
      templateId: id,
      accountId,
      number: version,
      changes: [...changes],
      author,
      createdAt: updatedAt,
    });
  }

  private get templates(): Repository<TemplateEntity> {
    return this.database.repository(TemplateEntity);
  }

  private get versions(): Repository<TemplateVersionEntity> {
    return this.database.repository(TemplateVersionEntity);
  }
}

function templateOf({ creator, ...template }: TemplateEntity): Template {
  return { ...template, createdBy: personOf(creator) };
}

function personOf(user: UserEntity | null): Person | null {
  return user && { id: user.id, name: user.name, email: user.email };
}
