import { exampleOf } from './schema-example.js';

const text = (example?: string) => ({ type: 'string', ...(example ? { example } : {}) });

describe('the example of a schema', () => {
  it('is assembled from the examples of its members, through references', () => {
    const schemas = {
      Person: { type: 'object', required: ['name'], properties: { name: text('Ada') } },
    };
    const schema = {
      type: 'object',
      required: ['author', 'tags', 'kind'],
      properties: {
        author: { $ref: '#/components/schemas/Person' },
        tags: { type: 'array', items: text('finance') },
        kind: { type: 'string', enum: ['report', 'article'] },
      },
    };
    expect(exampleOf(schema, schemas)).toEqual({
      author: { name: 'Ada' },
      tags: ['finance'],
      kind: 'report',
    });
  });

  it('omits members that are only sometimes present', () => {
    const schema = {
      type: 'object',
      required: ['title'],
      properties: { title: text('Report'), highlight: text('<mark>r</mark>') },
    };
    expect(exampleOf(schema, {})).toEqual({ title: 'Report' });
  });

  it('prefers its own example to any other, even if that is null', () => {
    expect(exampleOf({ type: ['string', 'null'], example: null, enum: ['a'] }, {})).toBeNull();
  });

  it('is missing if nothing provides one', () => {
    expect(exampleOf({ type: 'string' }, {})).toBeUndefined();
    expect(exampleOf({ $ref: '#/components/schemas/Unknown' }, {})).toBeUndefined();
  });
});
