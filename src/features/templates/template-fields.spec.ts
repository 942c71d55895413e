import { columnsOf } from '../../platform/database/columns.js';
import { TemplateVersionEntity } from './entities/template-version.entity.js';
import { TemplateEntity } from './entities/template.entity.js';
import {
  ALL_FIELDS,
  ARCHIVED_FIELDS,
  fieldOf,
  PATCHABLE_FIELDS,
  VERSIONED_FIELDS,
} from './template-fields.js';

describe('the fields of templates', () => {
  it.each([
    ['templates', TemplateEntity, ALL_FIELDS],
    ['their versions', TemplateVersionEntity, VERSIONED_FIELDS],
  ])('match the columns of the entity of %s', (_, entity, names) => {
    const columns = new Map(columnsOf(entity).map(({ property, ...column }) => [property, column]));
    for (const field of names) {
      const { column, type } = fieldOf(field);
      expect([field, columns.get(field)]).toEqual([
        field,
        { name: column, type: type === 'json text' ? 'text' : type },
      ]);
    }
  });

  it('that clients can change are part of every version and of archives', () => {
    expect(VERSIONED_FIELDS).toEqual(expect.arrayContaining([...PATCHABLE_FIELDS]));
    expect(ARCHIVED_FIELDS).toEqual(expect.arrayContaining([...VERSIONED_FIELDS]));
  });
});
