import type { Access } from '../auth/access/access.js';
import { ROOT } from '../auth/access/rights.js';
import type { FilterField, SearchRequest } from './search-provider.js';

/** Collects the values of a statement and returns their placeholders. `$1` is the account. */
export class StatementValues {
  readonly values: unknown[];

  constructor(readonly accountId: string) {
    this.values = [accountId];
  }

  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${String(this.values.length)}::${type}`;
  }
}

const FIELD_TYPES: Readonly<Record<FilterField, string>> = {
  id: 'uuid',
  external_id: 'text',
  type: 'text',
  status: 'text',
  created_by: 'uuid',
  template_id: 'uuid',
  collection_id: 'uuid',
  has_unpublished_changes: 'boolean',
};

/** Returns the table that a request searches. Published versions have the columns of documents that searches read. */
export function tableOf({ published }: SearchRequest): string {
  return published ? 'publications' : 'documents';
}

const WORDS = 'document_id, created_at, chunk_id, configuration, vector';

/**
 * The words of published versions: own ones if their text differs from that of the document, otherwise those of the
 * document. OFFSET 0 makes PostgreSQL look each one up, instead of joining all.
 */
export const PUBLISHED_WORDS = `(SELECT ${WORDS} FROM publication_texts
  UNION ALL
  SELECT ${WORDS} FROM document_texts WHERE NOT EXISTS (
    SELECT FROM publication_texts AS own WHERE own.document_id = document_texts.document_id OFFSET 0))`;

/** Returns the table with the words that a request searches, which needs an alias. */
export function wordsOf({ published }: SearchRequest): string {
  return published ? PUBLISHED_WORDS : 'document_texts';
}

/** Maximum number of values to compare one by one with each row. */
const MAX_COMPARED = 20;

/** Documents of hidden collections are left out one by one if there are so many times more visible collections. */
const HIDES_FEW = 4;

/** A request with the conditions of an access. */
export interface LimitedRequest extends SearchRequest {
  /** True if few collections are hidden, so that their documents are left out instead of joining those of the visible ones. */
  hidesFew: boolean;
}

/** Returns the request with the conditions of the access, so that totals and facets count what the access includes. */
export function limitedTo(access: Access, request: SearchRequest): LimitedRequest {
  if (access.isWhole) return { ...request, hidesFew: false };
  const { only } = access;
  const inCollections = { ...request, ...visibleFields(access, request) };
  if (only === null) return inCollections;
  return 'ids' in only
    ? { ...inCollections, fields: [...inCollections.fields, ['id', only.ids]] }
    : { ...inCollections, labels: [...request.labels, ['tags', only.tags]] };
}

/**
 * Names the visible collections and not the hidden ones, so that a collection that the tree of the access lacks is hidden
 * too.
 */
function visibleFields(
  { rights }: Access,
  { fields }: SearchRequest,
): Pick<LimitedRequest, 'fields' | 'hidesFew'> {
  if (rights === null || rights.hidden.length === 0) return { fields, hidesFew: false };
  const others = fields.filter(([field]) => field !== 'collection_id');
  const asked = fields.find(([field]) => field === 'collection_id')?.[1];
  const isVisible = (id: string) => rights.of(id) != null;
  const shown = asked?.filter(isVisible) ?? rights.visible;
  return {
    fields: [...others, ['collection_id', shown]],
    hidesFew:
      asked === undefined &&
      isVisible(ROOT) &&
      rights.hidden.length * HIDES_FEW < rights.visible.length,
  };
}

/** True if a request has any condition, so that it does not match all documents outside the trash. */
export function isFiltered(request: SearchRequest): boolean {
  return request.deleted || hasFilters(request) || request.words !== undefined;
}

/** True if a request filters by anything other than search words and trash state. */
export function hasFilters({ fields, labels, created, updated }: SearchRequest): boolean {
  const moments = [created.from, created.to, updated.from, updated.to];
  return fields.length + labels.length > 0 || moments.some((moment) => moment !== undefined);
}

/** True if {@link filteredSet} joins the matches of several filters. */
export function needsJoin({ fields, labels, updated }: SearchRequest): boolean {
  return fields.length + labels.length + Number((updated.from ?? updated.to) !== undefined) > 1;
}

/** Fields that match so few documents that the other conditions are checked on their rows. */
const SELECTIVE_FIELDS: ReadonlySet<FilterField> = new Set(['id', 'external_id']);

/**
 * Returns a query for `id` and `created_at` of the documents that match the filters. Each filter has an index with both
 * columns, so PostgreSQL counts and joins matches without reading the table.
 */
export function filteredSet(request: LimitedRequest, values: StatementValues): string {
  if (request.fields.some(([field]) => SELECTIVE_FIELDS.has(field))) {
    return `SELECT item.id, item.created_at FROM ${tableOf(request)} AS item WHERE ${conditionsOnRow(request, values)}`;
  }
  // Start with a label that has one value, if there is one, because a document can match several values of a label.
  const [label, ...labels] = [...request.labels].sort(
    ([, one], [, other]) => one.length - other.length,
  );
  const created = rangeOf('item.created_at', request.created, values);
  const updated = rangeOf('item.updated_at', request.updated, values);
  const place = request.fields.find(isPlace);
  const sets = request.fields
    .filter((field) => !isPlace(field))
    .map((field) => isOneOf(field, values));
  if (updated.length > 0) sets.push(updated.join(' AND '));
  if (label) {
    return `SELECT ${label[1].length > 1 ? 'DISTINCT ' : ''}item.document_id AS id, item.created_at FROM document_labels AS item
             WHERE ${[labelled(label, request, values), ...created].join(' AND ')}
               ${labels.map((other) => `AND item.document_id IN (SELECT document_id FROM document_labels AS item WHERE ${labelled(other, request, values)})`).join(' ')}
               ${sets.map((other) => `AND item.document_id IN (${documentsWith(other, request)})`).join(' ')}
               ${place ? `AND ${isInPlace('item.document_id', place, request, values)}` : ''}`;
  }
  const isOnRow = request.deleted || sets.length === 0;
  const inPlace =
    place && (isOnRow ? isOneOf(place, values) : isInPlace('item.id', place, request, values));
  const [first = 'true', ...rest] = isOnRow ? [sets.join(' AND ') || 'true'] : sets;
  const conditions = [inAccount(request), first, ...(inPlace ? [inPlace] : []), ...created];
  return `SELECT item.id, item.created_at FROM ${tableOf(request)} AS item
           WHERE ${conditions.join(' AND ')}
             ${rest.map((other) => `AND item.id IN (${documentsWith(other, request)})`).join(' ')}`;
}

/**
 * Returns a query for the IDs of documents outside the trash in collections that the caller cannot see. They are all but
 * the visible ones at the time of the statement, so also those that the tree of the access lacks.
 */
export function hiddenDocuments(request: LimitedRequest, values: StatementValues): string {
  const visible = request.fields.find(isPlace)?.[1] ?? [];
  return `SELECT item.id FROM ${tableOf(request)} AS item
           WHERE ${inAccount(request)} AND item.collection_id = ANY (ARRAY(
             SELECT id FROM collections
              WHERE account_id = $1 AND id NOT IN (SELECT unnest(${values.add(visible, 'uuid[]')}))))`;
}

type FieldFilter = SearchRequest['fields'][number];

function isPlace([field]: FieldFilter): boolean {
  return field === 'collection_id';
}

/** Returns the condition that a document is in one of the collections, for a join with other filters. */
function isInPlace(
  id: string,
  place: FieldFilter,
  request: LimitedRequest,
  values: StatementValues,
): string {
  return request.hidesFew
    ? inArray(id, 'NOT IN', hiddenDocuments(request, values))
    : inArray(id, 'IN', documentsWith(isOneOf(place, values), request));
}

/** Returns the conditions on a row of `documents AS item`, for scans in another order. */
export function conditionsOnRow(request: SearchRequest, values: StatementValues): string {
  return [
    inAccount(request),
    ...request.fields.map((field) => isOneOf(field, values, true)),
    ...rangeOf('item.created_at', request.created, values),
    ...rangeOf('item.updated_at', request.updated, values),
    ...request.labels.map(
      (
        label,
      ) => `EXISTS (SELECT FROM document_labels AS label WHERE ${labelled(label, request, values, 'label')}
                             AND label.created_at = item.created_at AND label.document_id = item.id OFFSET 0)`,
    ),
  ].join(' AND ');
}

function inAccount({ deleted }: SearchRequest): string {
  return `item.account_id = $1 AND item.deleted_at IS ${deleted ? 'NOT NULL' : 'NULL'}`;
}

function documentsWith(condition: string, request: SearchRequest): string {
  return `SELECT item.id FROM ${tableOf(request)} AS item WHERE ${inAccount(request)} AND ${condition}`;
}

/**
 * Returns the condition that an ID is in a set, or is not. PostgreSQL hashes the values of an array whatever
 * it expects their number to be. A join, or the set itself, becomes a loop over all pairs if its statistics know the account
 * badly: 24,000 documents took longer than a statement may.
 */
export function inArray(id: string, operator: 'IN' | 'NOT IN', set: string): string {
  // With IS TRUE, it cannot become a join.
  return `(${id} ${operator} (SELECT unnest(ARRAY(${set})))) IS TRUE`;
}

/** With `onRows`, many values are compared by a hash table. PostgreSQL would otherwise try them one by one for each row. */
function isOneOf([field, wanted]: FieldFilter, values: StatementValues, onRows = false): string {
  const type = FIELD_TYPES[field];
  // Its index has this condition.
  if (field === 'has_unpublished_changes') return `item.${field}`;
  const [first, ...others] = wanted;
  if (others.length === 0) return `item.${field} = ${values.add(first, type)}`;
  const list = values.add(wanted, `${type}[]`);
  return onRows && wanted.length > MAX_COMPARED
    ? `item.${field} IN (SELECT unnest(${list}))`
    : `item.${field} = ANY (${list})`;
}

function labelled(
  [path, wanted]: SearchRequest['labels'][number],
  { deleted, published }: SearchRequest,
  values: StatementValues,
  table = 'item',
): string {
  const prefix = published ? "'p' || " : '';
  const labels = wanted.map(
    (value) => `${prefix}metadata_label(${values.add(path, 'text')}, ${values.add(value, 'text')})`,
  );
  return `${table}.account_id = $1 AND ${table}.deleted = ${String(deleted)}
    AND ${table}.label ${labels.length === 1 ? `= ${labels.join('')}` : `= ANY (ARRAY[${labels.join(', ')}])`}`;
}

function rangeOf(
  column: string,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
  values: StatementValues,
): string[] {
  return [
    ...(from ? [`${column} >= ${values.add(from.toISOString(), 'timestamptz')}`] : []),
    ...(to ? [`${column} < ${values.add(to.toISOString(), 'timestamptz')}`] : []),
  ];
}
