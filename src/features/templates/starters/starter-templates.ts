import { readFileSync } from 'node:fs';
import type { TemplateFields } from '../template-fields.js';
import { readVariables, type DeclaredVariable } from '../variables/variables.js';
import { Injectable } from '@nestjs/common';
import { AccountEntity } from '../../access/auth/entities/account.entity.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { StarterOfferEntity } from '../entities/starter-offer.entity.js';
import { TemplateEntity } from '../entities/template.entity.js';

/** A starter template as `starters/index.json` describes it; `file` beside it holds the content. */
interface Starter extends Pick<TemplateFields, 'type' | 'name' | 'title'> {
  file: string;
  description: string;
  variables: readonly DeclaredVariable[];
  tags: readonly string[];
  metadata?: Record<string, string>;
}

/** The templates that every account begins with, one for each type of document. */
export const STARTER_TEMPLATES: readonly TemplateFields[] = (
  JSON.parse(read('index.json')) as readonly Starter[]
).map(templateOf);

/** The template of a starter; its metadata are the tags and what else the starter says. */
function templateOf({ file, variables, tags, metadata = {}, ...fields }: Starter): TemplateFields {
  return {
    ...fields,
    content: read(file),
    variables: JSON.stringify(readVariables(variables)),
    metadata: JSON.stringify({ tags, ...metadata }),
    aiSettings: '{}',
  };
}

function read(file: string): string {
  return readFileSync(new URL(`starters/${file}`, import.meta.url), 'utf8');
}

const MAX_REMEMBERED = 10_000;

/**
 * Gives each account the starter templates once, when its templates are first listed: accounts are made by `auth`, which
 * knows no templates, and many were made before there were any.
 */
@Injectable()
export class StarterOffer {
  /** Accounts that certainly have been given theirs; that never becomes untrue. */
  private readonly done = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Makes the starter templates of the account, unless that was done before. */
  async offer(accountId: string): Promise<void> {
    if (this.done.has(accountId)) return;
    await this.database.transaction(() => this.make(accountId));
    if (this.done.size >= MAX_REMEMBERED) this.done.clear();
    this.done.add(accountId);
  }

  /**
   * The row of `starter_offers` decides between requests that come together: one inserts it and the templates, the others
   * wait for that and insert none.
   */
  private async make(accountId: string): Promise<void> {
    const { manager } = this.database;
    const account = await manager.findOneBy(AccountEntity, { id: accountId });
    if (!account) return;
    const offered = await manager
      .createQueryBuilder()
      .insert()
      .into(StarterOfferEntity)
      .values({ accountId, offeredAt: this.clock.now() })
      .orIgnore()
      .returning('account_id')
      .execute();
    if ((offered.raw as unknown[]).length === 0) return;
    // As old as the account, so that they are not above its own in lists. Ids tell the order where times are the same.
    const { createdAt } = account;
    const rows = STARTER_TEMPLATES.toReversed().map((starter) => ({
      ...starter,
      id: newUuid(),
      accountId,
      version: 1,
      createdBy: null,
      createdAt,
      updatedAt: createdAt,
    }));
    await manager.insert(TemplateEntity, rows);
  }
}
