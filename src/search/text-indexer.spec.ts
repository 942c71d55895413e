import { DOCUMENT_FIELDS, fieldsWithout } from '../documents/document-fields.js';
import { SEARCH } from '../database/schema/search.js';

describe('the index of words', () => {
  it('follows changes of every field that is searched', () => {
    const columns = fieldsWithout('searchable', false).map((name) => DOCUMENT_FIELDS[name].column);
    expect(columns).toEqual(['title', 'content']);
    for (const column of columns)
      expect(SEARCH.up).toContain(`added.${column} <> removed.${column}`);
  });
});
