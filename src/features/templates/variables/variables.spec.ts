import { readVariables, variablesProblems, inputProblems, readInputs } from './variables.js';

describe('the variables that a template declares', () => {
  it('are stored with all their members', () => {
    expect(
      readVariables([{ name: 'a' }, { name: 'b', required: true, default: '', description: 'B' }]),
    ).toEqual([
      { name: 'a', required: false, default: null, description: null },
      { name: 'b', required: true, default: '', description: 'B' },
    ]);
  });

  it('can be sent back as returned', () => {
    expect(variablesProblems(readVariables([{ name: 'имя.ß-1' }, { name: '_' }]))).toEqual([]);
  });

  it('are refused with every problem of every variable', () => {
    const fields = variablesProblems([
      { name: 'ok' },
      { name: 'first name', required: 'yes', default: 7, description: [] },
      'x',
      { requierd: true },
      { name: 'ok' },
      { name: 'x'.repeat(65) },
      { name: 'd', default: 'x'.repeat(10_001), description: 'x'.repeat(501) },
    ]);
    expect(fields.map(({ field, issue }) => `${field}: ${issue.slice(0, 40)}`)).toEqual([
      'variables[1].name: must be a letter or _ and then letters, ',
      'variables[1].required: must be true or false',
      'variables[1].default: must be a string, or null for none',
      'variables[1].description: must be a string, or null for none',
      'variables[2]: must be an object with a name',
      'variables[3].name: required field missing',
      "variables[3].requierd: is not a known field; did you mean 'requ",
      'variables[5].name: must be a letter or _ and then letters, ',
      'variables[6].default: must not be longer than 10000 characters',
      'variables[6].description: must not be longer than 500 characters',
      'variables[4].name: is also the name of variables[0]; declar',
    ]);
  });

  it('are limited to a hundred', () => {
    const list = Array.from({ length: 101 }, (_, index) => ({ name: `v${String(index)}` }));
    expect(variablesProblems(list.slice(1))).toEqual([]);
    expect(variablesProblems(list)).toHaveLength(1);
    expect(variablesProblems({ a: 1 })).toHaveLength(1);
    expect(variablesProblems(null)).toHaveLength(1);
  });
});

const read = (json: string) => [...readInputs(json)];

describe('the given values of variables', () => {
  it('are text; numbers and booleans keep their spelling, and null counts as omitted', () => {
    const json =
      '{"s":"x","n": 1.0 ,"big":12345678901234567890,"e":-2E+3,"b":true,"f":false,"z":null}';
    expect(read(json)).toEqual([
      ['s', 'x'],
      ['n', '1.0'],
      ['big', '12345678901234567890'],
      ['e', '-2E+3'],
      ['b', 'true'],
      ['f', 'false'],
    ]);
  });

  it('may have any name', () => {
    expect(read('{"__proto__":1,"constructor":"c","\\u0061":2}')).toEqual([
      ['__proto__', '1'],
      ['constructor', 'c'],
      ['a', '2'],
    ]);
    expect(read('{}')).toEqual([]);
  });

  it.each([
    ['a list', ['x'], ['templateVariables']],
    ['text', 'x', ['templateVariables']],
    [
      'objects and lists inside',
      { a: {}, b: [], c: 'x', d: null },
      ['templateVariables.a', 'templateVariables.b'],
    ],
    [
      'too many',
      Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`v${String(n)}`, ''])),
      ['templateVariables'],
    ],
    ['null', null, []],
  ])('cannot be %s', (_, value, fields) => {
    expect(inputProblems(value).map(({ field }) => field)).toEqual(fields);
  });
});
