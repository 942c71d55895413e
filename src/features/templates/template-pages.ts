import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { readPage, type Listing, type Page } from '../../platform/http/pagination/read-page.js';
import { selectedFields } from '../content/versions/field-map.js';
import type { ListTemplatesDto, TemplateSort } from './dto/template.dto.js';
import { StarterOffer } from './starter-offer.js';
import { SHOWN_FIELDS, TEMPLATE_FIELDS, type Template } from './template-fields.js';

type ListedTemplate = Omit<Template, 'content'>;

const LISTED = SHOWN_FIELDS.filter((name) => name !== 'content' && name !== 'createdBy');

/** A row of `templates AS item` with who made it; nobody made what came with the account. */
type Row = Omit<ListedTemplate, 'accountId' | 'createdBy'> &
  ({ creatorId: null } | { creatorId: string; creatorName: string; creatorEmail: string });

/** Every word in some case in the name or the description. There are at most a thousand templates to look at. */
const MATCHES = (words: string) =>
  `NOT EXISTS (SELECT FROM unnest(${words}::text[]) AS word
                WHERE strpos(lower(item.name COLLATE "default" || ' ' || coalesce(item.description, '')), lower(word)) = 0)`;

/** Pages of the templates of an account. */
@Injectable()
export class TemplatePages {
  constructor(
    private readonly database: Database,
    private readonly starters: StarterOffer,
  ) {}

  /** One page, without content. Throws `bad_request` for a cursor of another list. */
  async list(accountId: string, query: ListTemplatesDto): Promise<Page<ListedTemplate>> {
    await this.starters.offer(accountId);
    const listing = listingOf(query);
    const page = await readPage<Row, TemplateSort>(this.database, listing, accountId, query);
    return { ...page, rows: page.rows.map((row) => fromRow(row, accountId)) };
  }
}

/** Templates of some types and with the words of `q`, if they are asked for. */
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

function fromRow(row: Row, accountId: string): ListedTemplate {
  const createdBy =
    row.creatorId === null
      ? null
      : { id: row.creatorId, name: row.creatorName, email: row.creatorEmail };
  return { ...row, accountId, createdBy };
}
