import { CHANGED_FIELDS, EVENT_STATUSES } from '../../events/event-states.js';
import { DOCUMENT_STATUSES, PATCHABLE_FIELDS } from './document-fields.js';
import { statesOf } from './document-states.js';

const document = (metadata: string, fields: object = {}) =>
  ({ type: 'report', status: 'draft', metadata, ...fields }) as const;
const base = { types: ['report'], statuses: ['draft'] };

describe('the states of a document in an event', () => {
  it('name any change if the event names none', () => {
    expect(statesOf(document('{}'))).toEqual([{ ...base, changes: ['*'] }]);
  });

  it('hold metadata by path: numbers as they were sent, items of lists, keys with dots', () => {
    const metadata =
      '{"n":1.0,"big":12345678901234567890,"neg":-1e3,"yes":true,"none":null,"q":"7 \\"8\\" 9\\\\",' +
      '"list":[1,["eu"],{"sku":"x"},{"sku":"y"},{}],"client":{"name":"A","deep":{"er":1}},"client.name":"B"}';
    expect(statesOf(document(metadata))).toEqual([
      {
        ...base,
        changes: ['*'],
        'metadata.n': ['1.0'],
        'metadata.big': ['12345678901234567890'],
        'metadata.neg': ['-1e3'],
        'metadata.yes': ['true'],
        'metadata.q': ['7 "8" 9\\'],
        'metadata.list': ['1', 'eu'],
        'metadata.list.sku': ['x', 'y'],
        'metadata.client.name': ['A', 'B'],
        'metadata.client.deep.er': ['1'],
      },
    ]);
  });

  it('hold the tags and the project under their own names, too', () => {
    const [state] = statesOf(document('{"tags":["a","a"],"project":"p"}'));
    expect(state).toMatchObject({ tags: ['a'], projects: ['p'], 'metadata.project': ['p'] });
    expect(statesOf(document('{"tags":[]}'))).toEqual([{ ...base, changes: ['*'], tags: [] }]);
  });

  it('are two if the type, status or metadata changed, and one otherwise', () => {
    const before = document('{"a":1}');
    const states = (after: ReturnType<typeof document>) =>
      statesOf(after, before, ['title']).length;
    expect(states(before)).toBe(1);
    expect(states({ ...before, type: 'article' } as never)).toBe(2);
    expect(states({ ...before, status: 'archived' } as never)).toBe(2);
    expect(states(document('{"a":2}'))).toBe(2);
  });

  it('name the paths at or below which a value changed', () => {
    const changes = (from: string, to: string) =>
      statesOf(document(to), document(from), ['metadata'])[0]?.['changes']?.slice(1).sort();
    expect(changes('{"a":{"b":1,"c":2}}', '{"a":{"c":2,"b":3}}')).toEqual([
      'metadata.a',
      'metadata.a.b',
    ]);
    expect(changes('{"a":{"b":1}}', '{}')).toEqual(['metadata.a', 'metadata.a.b']);
    expect(changes('{"a.b":1}', '{"a.b":2}')).toEqual(['metadata.a', 'metadata.a.b']);
    expect(changes('{"a":1}', '{"a":"1"}')).toEqual(['metadata.a']);
    expect(changes('{"a":1}', '{"a":1.0}')).toEqual(['metadata.a']);
    expect(changes('{"a":["x\\ny"]}', '{"a":["x","y"]}')).toEqual(['metadata.a']);
    expect(changes('{"a":null}', '{"a":{}}')).toEqual(['metadata.a']);
    expect(changes('{"a":1,"b":2}', '{"b":2,"a":1}')).toEqual([]);
  });

  it('name no metadata if the event is about another change', () => {
    const [state] = statesOf(document('{"a":1}'), document('{"a":2}'), ['status']);
    expect(state?.['changes']).toEqual(['status']);
  });

  it('stay small: at most 500 paths, and texts of at most 200 characters', () => {
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`k${String(n)}`, 1])),
    );
    const [state = {}] = statesOf(document(wide), document('{}'), ['metadata']).slice(1);
    expect(Object.keys(state)).toHaveLength(3 + 500);
    expect(state['changes']).toHaveLength(1 + 500);
    const long = JSON.stringify({ a: 'x'.repeat(201), b: 'x'.repeat(200), ['k'.repeat(201)]: 1 });
    expect(Object.keys(statesOf(document(long))[0] ?? {})).toEqual([
      'changes',
      'types',
      'statuses',
      'metadata.b',
    ]);
  });
});

describe('the names of filters', () => {
  it('are those of the fields and statuses of documents', () => {
    expect(PATCHABLE_FIELDS).toEqual(expect.arrayContaining([...CHANGED_FIELDS]));
    expect(EVENT_STATUSES).toEqual(DOCUMENT_STATUSES);
  });
});
