import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AccountEntity } from '../auth/entities/account.entity.js';
import type { UserEntity } from '../auth/entities/user.entity.js';
import type { Person } from '../auth/person.js';
import { newUuid } from '../../platform/basics/identifiers/identifiers.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { readPage, type Listing, type Page } from '../../platform/http/pagination/read-page.js';
import { changedUnits, makeDelta, storeContent } from '../content/text/reverse-deltas.js';
import { selectedFields } from '../content/versioning/field-map.js';
import { VersionRepository } from '../content/versioning/version.repository.js';
import type { Version } from '../content/versioning/versioned-resource.js';
import type { ListTemplatesDto, TemplateSort } from './dto/template.dto.js';
import { StarterOfferEntity } from './entities/starter-offer.entity.js';
import { TemplateEntity } from './entities/template.entity.js';
import {
  SHOWN_FIELDS,
  TEMPLATE_FIELDS,
  TEMPLATES,
  type PatchableField,
  type Template,
  type TemplateFields,
  type TemplateState,
} from './template-fields.js';

/** Maximum length of a change to compare, in UTF-16 code units. Longer changes store the old content in full. */
const MAX_COMPARED = 16 * 1024;

/** A template with the columns that writing its next version needs. */
export type StoredTemplate = Template &
  Pick<TemplateEntity, 'versionAuthor' | 'versionChanges' | 'deltaBytes' | 'deltaCount'>;

type ListedTemplate = Omit<Template, 'content'>;
type ListedState = Omit<TemplateState, 'content'>;
export type ListedVersion = Version<ListedState>;
export type WholeVersion = Version<TemplateState>;

@Injectable()
export class TemplateVersionsRepository extends VersionRepository<ListedState, TemplateState> {
  constructor(database: Database) {
    super(database, TEMPLATES);
  }
}

const LISTED = SHOWN_FIELDS.filter((name) => name !== 'content' && name !== 'createdBy');

/** A row of `templates AS item` with its creator, if it has one. */
type ListedRow = Omit<ListedTemplate, 'accountId' | 'createdBy'> &
  ({ creatorId: null } | { creatorId: string; creatorName: string; creatorEmail: string });

/** Requires every word in the name or description, ignoring case. An account has at most about 1,000 templates. */
const MATCHES = (words: string) =>
  `NOT EXISTS (SELECT FROM unnest(${words}::text[]) AS word
                WHERE strpos(lower(item.name COLLATE "default" || ' ' || coalesce(item.description, '')), lower(word)) = 0)`;

const TEXT_BYTES: Statement = {
  name: 'templates.text-bytes',
  text: `SELECT octet_length(content) + octet_length(metadata::text) AS bytes
           FROM templates WHERE account_id = $1 AND id = $2`,
};

/** Reads and writes templates and their versions. */
@Injectable()
export class TemplatesRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(TemplateEntity) private readonly templates: Repository<TemplateEntity>,
    @InjectRepository(StarterOfferEntity) private readonly offers: Repository<StarterOfferEntity>,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    private readonly versions: TemplateVersionsRepository,
  ) {}

  /** Counts the account's templates. Concurrent callers wait until the transaction ends. */
  async countForInsert(accountId: string): Promise<number> {
    // FOR NO KEY UPDATE does not block inserts of documents, whose foreign keys take a weaker lock.
    await this.accounts.findOne({
      select: { id: true },
      where: { id: accountId },
      lock: { mode: 'for_no_key_update' },
    });
    return this.templates.countBy({ accountId });
  }

  async insert(template: Template): Promise<void> {
    await this.templates.insert({ ...template, createdBy: template.createdBy?.id ?? null });
  }

  /**
   * Inserts the account's starter templates unless they were inserted before. The row of `starter_offers` makes concurrent
   * calls insert them once.
   */
  async insertStarters(
    accountId: string,
    starters: readonly TemplateFields[],
    now: Date,
  ): Promise<void> {
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account) return;
    const offered = await this.offers
      .createQueryBuilder()
      .insert()
      .values({ accountId, offeredAt: now })
      .orIgnore()
      .returning('account_id')
      .execute();
    if ((offered.raw as unknown[]).length === 0) return;
    // They get the account's creation time, so that newer templates come first in lists. IDs break ties.
    const { createdAt } = account;
    const rows = starters.toReversed().map((starter) => ({
      ...starter,
      id: newUuid(),
      accountId,
      version: 1,
      createdBy: null,
      createdAt,
      updatedAt: createdAt,
    }));
    await this.templates.insert(rows);
  }

  /** Writes the next version of a template from {@link findForChange}, and stores its previous version. */
  async update(
    before: StoredTemplate,
    after: Template,
    changes: readonly PatchableField[],
    authorId: string,
  ): Promise<void> {
    const { id, accountId, version, updatedAt } = after;
    const isLong = changedUnits(before.content, after.content) > MAX_COMPARED;
    const { delta, ...totals } = storeContent(
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
    const history = { versionAuthor: authorId, versionChanges: [...changes] };
    await this.templates.update(
      { id, accountId },
      { ...changed, version, updatedAt, ...history, ...totals },
    );
  }

  /** Deletes a template and its versions. */
  async remove({ id, accountId }: Template): Promise<void> {
    await this.templates.delete({ id, accountId });
  }

  /** Returns the bytes of a template's content and metadata; 0 if there is no such template. Does not read them. */
  async textBytes(accountId: string, id: string): Promise<number> {
    const [found] = await this.database.run<{ bytes: number }>(TEXT_BYTES, [accountId, id]);
    return found?.bytes ?? 0;
  }

  /** Returns the template; `undefined` if it belongs to another account. */
  async find(accountId: string, id: string): Promise<Template | undefined> {
    const found = await this.templates.findOne({
      where: { id, accountId },
      relations: { creator: true },
    });
    return found ? templateOf(found) : undefined;
  }

  /** Returns the template and locks it until the transaction ends. */
  async findForChange(accountId: string, id: string): Promise<StoredTemplate | undefined> {
    const found = await this.templates
      .createQueryBuilder('template')
      .leftJoinAndSelect('template.creator', 'creator')
      .where({ id, accountId })
      .setLock('pessimistic_write', undefined, ['template'])
      .getOne();
    return found ? templateOf(found) : undefined;
  }

  /** Returns one page without content. Throws `bad_request` for a cursor of another list. */
  async page(accountId: string, query: ListTemplatesDto): Promise<Page<ListedTemplate>> {
    const listing = listingOf(query);
    const page = await readPage<ListedRow, TemplateSort>(this.database, listing, accountId, query);
    return { ...page, rows: page.rows.map((row) => fromRow(row, accountId)) };
  }
}

/** Returns the template of an entity with its `creator` loaded. */
export function templateOf({ creator, ...template }: TemplateEntity): StoredTemplate {
  return { ...template, createdBy: personOf(creator) };
}

export function personOf(user: UserEntity | null): Person | null {
  return user && { id: user.id, name: user.name, email: user.email };
}

/** Returns the listing of templates, filtered by type and the words of `q` if given. */
function listingOf({ type, q }: Pick<ListTemplatesDto, 'type' | 'q'>): Listing<TemplateSort> {
  let name = 'templates';
  let where = 'item.account_id = $1';
  const values: unknown[] = [];
  if (type !== undefined) {
    values.push(type);
    name += '.type';
    where += ` AND item.type = ANY ($${String(values.length + 1)}::text[])`;
  }
  if (q !== undefined) {
    values.push(q.split(/\s+/).filter((word) => word !== ''));
    name += '.q';
    where += ` AND ${MATCHES(`$${String(values.length + 1)}`)}`;
  }
  return {
    name,
    table: 'templates',
    where,
    values,
    total: `SELECT count(*) AS n FROM templates AS item WHERE ${where}`,
    columns: `${selectedFields(TEMPLATE_FIELDS, 'item', LISTED)}, creator.id AS "creatorId",
      creator.name AS "creatorName", creator.email AS "creatorEmail"`,
    joins:
      'LEFT JOIN LATERAL (SELECT * FROM users WHERE users.id = item.created_by LIMIT 1) AS creator ON true',
    sorts: {
      created_at: { column: 'created_at', type: 'timestamptz' },
      updated_at: { column: 'updated_at', type: 'timestamptz' },
      name: { column: 'name', type: 'text' },
    },
  };
}

function fromRow(row: ListedRow, accountId: string): ListedTemplate {
  const createdBy =
    row.creatorId === null
      ? null
      : { id: row.creatorId, name: row.creatorName, email: row.creatorEmail };
  return { ...row, accountId, createdBy };
}
