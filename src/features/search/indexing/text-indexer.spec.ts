import { DOCUMENT_FIELDS } from '../../documents/model/document-fields.js';
import { SEARCH } from '../../../migrations/first-schema/search.js';
import { fieldsWithout } from '../../content/versioning/field-map.js';

describe('the search index', () => {
  it('includes changes of every searched field', () => {
    const columns = fieldsWithout(DOCUMENT_FIELDS, 'searchable', false).map(
      (name) => DOCUMENT_FIELDS[name].column,
    );
    expect(columns).toEqual(['title', 'content']);
    for (const column of columns)
      expect(SEARCH.up).toContain(`added.${column} <> removed.${column}`);
  });
});
