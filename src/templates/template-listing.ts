import { byCreation, type CreationSort } from '../pagination/creation-order.js';
import type { Listing } from '../pagination/read-page.js';
import type { ListTemplatesDto } from './dto/list-templates.dto.js';
import {
  TEMPLATE_COLUMNS,
  TEMPLATE_JOINS,
  TEMPLATE_VERSION_COLUMNS,
  TEMPLATE_VERSION_JOINS,
} from './template-row.js';

export const TEMPLATE_SORTS = ['created_at', 'updated_at', 'name'] as const;
export type TemplateSort = (typeof TEMPLATE_SORTS)[number];

/** Every word in some case in the name or the description. There are at most a thousand templates to look at. */
const MATCHES = (words: string) =>
  `NOT EXISTS (SELECT FROM unnest(${words}::text[]) AS word
                WHERE strpos(lower(item.name COLLATE "default" || ' ' || coalesce(item.description, '')), lower(word)) = 0)`;

/** Templates of an account, of one type and with the words of `q` if they are asked for. Rows are `TemplateRow`s. */
export function templateListing({
  type,
  q,
}: Pick<ListTemplatesDto, 'type' | 'q'>): Listing<TemplateSort> {
  let name = 'templates';
  let where = 'item.account_id = $1';
  const values: unknown[] = [];
  if (type !== undefined) {
    values.push(type);
    name += '.type';
    where += ` AND item.type = $${String(values.length + 1)}`;
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
    columns: TEMPLATE_COLUMNS,
    joins: TEMPLATE_JOINS,
    sorts: {
      created_at: { column: 'created_at', type: 'timestamptz' },
      updated_at: { column: 'updated_at', type: 'timestamptz' },
      name: { column: 'name', type: 'text' },
    },
  };
}

const OF_ONE_TEMPLATE = 'item.account_id = $1 AND item.template_id = $2';

/** The versions of the template with this UUID. Rows are `TemplateVersionRow`s. */
export function versionListing(templateId: string): Listing<CreationSort> {
  return {
    name: 'template-versions',
    table: 'template_versions',
    where: OF_ONE_TEMPLATE,
    values: [templateId],
    total: `SELECT count(*) AS n FROM template_versions AS item WHERE ${OF_ONE_TEMPLATE}`,
    columns: TEMPLATE_VERSION_COLUMNS,
    joins: TEMPLATE_VERSION_JOINS,
    // Numbers tell the order in which they were made, also of two that share a millisecond.
    sorts: byCreation('number', 'integer'),
  };
}
