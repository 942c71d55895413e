import { Injectable } from '@nestjs/common';
import { DataSource, In, type Repository } from 'typeorm';
import { Database, type Statement } from '../../platform/database/database.js';
import { RowCountEntity } from '../../platform/database/tables.js';
import { AuditEntryEntity } from '../audit/entities/audit-entry.entity.js';
import { AccountEntity } from '../auth/entities/account.entity.js';
import { ApiKeyEntity } from '../auth/entities/api-key.entity.js';
import { MemberEntity } from '../auth/entities/member.entity.js';
import { UserEntity } from '../auth/entities/user.entity.js';
import { CollectionEntity } from '../collections/entities/collection.entity.js';
import { PublishingSettingsEntity } from '../documents/publishing/entities/publishing-settings.entity.js';
import { PublishingSettingsRepository } from '../documents/publishing/publishing-settings.repository.js';
import { StarterOfferEntity } from '../templates/entities/starter-offer.entity.js';
import { TemplateEntity } from '../templates/entities/template.entity.js';
import { WebhookEntity } from '../webhooks/entities/webhook.entity.js';

const LIMIT_IDLENESS: Statement = {
  name: 'archive.limit-idleness',
  text: `SELECT set_config('idle_in_transaction_session_timeout', '300000', true)`,
};

const MAKE_IDS: Statement = {
  name: 'archive.make-ids',
  text: `CREATE TEMPORARY TABLE archive_ids (
           kind text, id text, CONSTRAINT archive_ids_pkey PRIMARY KEY (kind, id)) ON COMMIT DROP`,
};

const ADD_IDS: Statement = {
  name: 'archive.add-ids',
  text: `INSERT INTO archive_ids (kind, id) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING RETURNING id`,
};

/** Ends the transaction after five idle minutes, so that a stalled worker does not block its replacement. */
export async function limitIdleness(database: Database): Promise<void> {
  await database.run(LIMIT_IDLENESS, []);
}

/** Creates a temporary table of ids, which is dropped with the transaction. */
export async function createIdTable(database: Database): Promise<void> {
  await database.run(MAKE_IDS, []);
}

/** Adds ids to the temporary table. Returns those that were not in it. */
export async function addIds(
  database: Database,
  kind: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await database.run<{ id: string }>(ADD_IDS, [kind, ids]);
  return new Set(rows.map(({ id }) => id));
}

/** What an account stores in all features, for its export and import. */
@Injectable()
export class ArchiveRepository {
  readonly accounts: Repository<AccountEntity>;
  readonly auditEntries: Repository<AuditEntryEntity>;
  readonly collections: Repository<CollectionEntity>;
  readonly keys: Repository<ApiKeyEntity>;
  readonly members: Repository<MemberEntity>;
  readonly publishing: PublishingSettingsRepository;
  readonly starterOffers: Repository<StarterOfferEntity>;
  readonly templates: Repository<TemplateEntity>;
  readonly webhooks: Repository<WebhookEntity>;

  constructor(
    readonly database: Database,
    private readonly dataSource: DataSource,
  ) {
    this.accounts = dataSource.getRepository(AccountEntity);
    this.auditEntries = dataSource.getRepository(AuditEntryEntity);
    this.collections = dataSource.getRepository(CollectionEntity);
    this.keys = dataSource.getRepository(ApiKeyEntity);
    this.members = dataSource.getRepository(MemberEntity);
    const settings = dataSource.getRepository(PublishingSettingsEntity);
    this.publishing = new PublishingSettingsRepository(database, settings);
    this.starterOffers = dataSource.getRepository(StarterOfferEntity);
    this.templates = dataSource.getRepository(TemplateEntity);
    this.webhooks = dataSource.getRepository(WebhookEntity);
  }

  /** Counts the documents of an account, including the trash. */
  async countDocuments(accountId: string): Promise<number> {
    const kinds = ['documents', 'documents.deleted'];
    const counts = await this.dataSource
      .getRepository(RowCountEntity)
      .findBy({ accountId, kind: In(kinds) });
    return counts.reduce((sum, { count }) => sum + Number(count), 0);
  }

  /** Returns users by their UUID. */
  async readPeople(ids: readonly string[]): Promise<Map<string, UserEntity>> {
    const users = await this.dataSource.getRepository(UserEntity).findBy({ id: In(ids) });
    return new Map(users.map((user) => [user.id, user]));
  }

  /** Returns the UUIDs of the members of an account, who stay members until the transaction ends. */
  async lockMembers(accountId: string): Promise<Set<string>> {
    // Changes of members lock the account too.
    await this.accounts.findOne({ where: { id: accountId }, lock: { mode: 'for_no_key_update' } });
    const members = await this.members.findBy({ accountId });
    return new Set(members.map(({ userId }) => userId));
  }

  /** Returns the users who are members of the account or have an API key for it. */
  readUsers(accountId: string): Promise<UserEntity[]> {
    return this.dataSource
      .getRepository(UserEntity)
      .createQueryBuilder('user')
      .where((query) => {
        const idsIn = (entity: typeof MemberEntity | typeof ApiKeyEntity) =>
          query
            .subQuery()
            .select('item.userId')
            .from(entity, 'item')
            .where('item.accountId = :accountId')
            .getQuery();
        return `user.id IN ${idsIn(MemberEntity)} OR user.id IN ${idsIn(ApiKeyEntity)}`;
      })
      .setParameters({ accountId })
      .getMany();
  }
}
