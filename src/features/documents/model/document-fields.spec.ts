import { getMetadataArgsStorage } from 'typeorm';
import { CHANGED_FIELDS } from '../../events/event-states.js';
import { DocumentEntity } from './document.entity.js';
import { DocumentVersionEntity } from './document-version.entity.js';
import {
  ALL_FIELDS,
  ARCHIVED_FIELDS,
  fieldOf,
  IF_CHANGED_FIELDS,
  PATCHABLE_FIELDS,
  VERSIONED_FIELDS,
  allowedFrom,
  DOCUMENT_STATUSES,
  isAllowed,
} from './document-fields.js';

/** The columns of an entity by property. */
function columnsOf(entity: new () => object) {
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === entity);
  return new Map(columns.map(({ propertyName, options }) => [propertyName, options]));
}

describe('the fields of documents', () => {
  it.each(ALL_FIELDS)('match the columns of the entity: %s', (name) => {
    const column = columnsOf(DocumentEntity).get(name);
    const { column: columnName, type } = fieldOf(name);
    expect({ columnName: column?.name ?? name, type: column?.type }).toEqual({ columnName, type });
  });

  it.each(VERSIONED_FIELDS)('that are versioned match the columns of versions: %s', (name) => {
    const column = columnsOf(DocumentVersionEntity).get(name);
    const { column: columnName, type } = fieldOf(name);
    expect({ columnName: column?.name ?? name, type: column?.type }).toEqual({ columnName, type });
  });

  it('that clients can change are part of every version, except the collection, and of archives', () => {
    const unversioned = PATCHABLE_FIELDS.filter(
      (name) => !VERSIONED_FIELDS.some((one) => one === name),
    );
    expect(unversioned).toEqual(['collectionId']);
    expect(ARCHIVED_FIELDS).toEqual(expect.arrayContaining([...VERSIONED_FIELDS]));
  });

  it('that clients can change are those that events name in changes', () => {
    expect([...CHANGED_FIELDS].sort()).toEqual([...PATCHABLE_FIELDS].sort());
  });

  it('that versions store as a difference are never null', () => {
    expect(IF_CHANGED_FIELDS.map((name) => fieldOf(name).type)).toEqual(
      IF_CHANGED_FIELDS.map(() => 'json'),
    );
  });
});

describe('status transitions', () => {
  const moves = [
    'draft > in_review',
    'draft > published',
    'draft > archived',
    'in_review > draft',
    'in_review > published',
    'in_review > archived',
    'published > draft',
    'published > archived',
    'archived > draft',
  ];

  it('are these nine, and no others', () => {
    const pairs = DOCUMENT_STATUSES.flatMap((from) =>
      DOCUMENT_STATUSES.filter((to) => to !== from && isAllowed(from, to)).map(
        (to) => `${from} > ${to}`,
      ),
    );
    expect(pairs.sort()).toEqual([...moves].sort());
  });

  it('are listed for each status', () => {
    const listed = DOCUMENT_STATUSES.flatMap((from) =>
      allowedFrom(from).map((to) => `${from} > ${to}`),
    );
    expect(listed.sort()).toEqual([...moves].sort());
  });

  it.each(DOCUMENT_STATUSES)('allow a document to stay %s', (status) => {
    expect(isAllowed(status, status)).toBe(true);
  });
});
