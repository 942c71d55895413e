import { parseJsonObject } from '../../platform/http/bodies/json-text.js';
import { inputProblems, readInputs } from './template-inputs.js';

function read(json: string) {
  const { v } = parseJsonObject(Buffer.from(`{"v":${json}}`));
  return [...readInputs(v as Record<string, unknown>)];
}

describe('values that are given for variables', () => {
  it('are text; numbers and booleans as they were written, null as if left out', () => {
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
    expect(readInputs({ a: 1.5 })).toEqual(new Map([['a', '1.5']]));
    expect(readInputs(null).size).toBe(0);
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
