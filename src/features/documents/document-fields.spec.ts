import { getMetadataArgsStorage } from 'typeorm';
import { DocumentEntity } from './entities/document.entity.js';
import { DocumentVersionEntity } from './entities/document-version.entity.js';
import {
  ALL_FIELDS,
  ARCHIVED_FIELDS,
  fieldOf,
  KEPT_IF_CHANGED,
  PATCHABLE_FIELDS,
  VERSIONED_FIELDS,
} from './document-fields.js';

/** The columns of an entity by property. */
function columnsOf(entity: new () => object) {
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === entity);
  return new Map(columns.map(({ propertyName, options }) => [propertyName, options]));
}

describe('the fields of documents', () => {
  it.each(ALL_FIELDS)('have the columns of the entity: %s', (name) => {
    const column = columnsOf(DocumentEntity).get(name);
    const { column: columnName, type } = fieldOf(name);
    expect({ columnName: column?.name ?? name, type: column?.type }).toEqual({ columnName, type });
  });

  it.each(VERSIONED_FIELDS)('that are versioned have the same column of versions: %s', (name) => {
    const column = columnsOf(DocumentVersionEntity).get(name);
    const { column: columnName, type } = fieldOf(name);
    expect({ columnName: column?.name ?? name, type: column?.type }).toEqual({ columnName, type });
  });

  it('that clients can change are part of every version and of archives', () => {
    expect(VERSIONED_FIELDS).toEqual(expect.arrayContaining([...PATCHABLE_FIELDS]));
    expect(ARCHIVED_FIELDS).toEqual(expect.arrayContaining([...VERSIONED_FIELDS]));
  });

  it('that a version keeps as the difference to the next one are never null', () => {
    expect(KEPT_IF_CHANGED.map((name) => fieldOf(name).type)).toEqual(
      KEPT_IF_CHANGED.map(() => 'json'),
    );
  });
});
