import fc from 'fast-check';
import { applyMergePatch } from './json-merge-patch.js';
import { propertyRuns } from '../../../test/support/property-runs.js';

/** RFC 7396, section 2, on parsed values. Uses Maps, so `__proto__` is a normal name. */
type Model = Map<string, Model> | string;

function modelOf(value: unknown): Model {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  return new Map(Object.entries(value).map(([name, member]) => [name, modelOf(member)]));
}

function mergeModel(target: Model | undefined, patch: Model): Model {
  if (!(patch instanceof Map)) return patch;
  const merged = new Map(target instanceof Map ? target : []);
  for (const [name, member] of patch) {
    if (member === 'null') merged.delete(name);
    else merged.set(name, mergeModel(merged.get(name), member));
  }
  return merged;
}

/** Sorts members by name, because parsing has lost their original order. */
function textOf(model: Model): string {
  if (!(model instanceof Map)) return model;
  return `{${Array.from(model, ([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`)
    .sort()
    .join()}}`;
}

const names = fc.constantFrom('a', 'b', 'c', '1', '__proto__', 'constructor', 'é"\\', '');
const space = fc.constantFrom('', ' ', '\n  ', '\t');
const leaf = fc.oneof(
  fc.constantFrom('null', 'true', '1.0', '1e2', '12345678901234567890', '"\\u0041"', '"}],{"'),
  fc.constantFrom('[]', '[{"a":null}, 1]', '["]","\\""]'),
  fc.string().map((text) => JSON.stringify(text)),
);

/** Source text of JSON objects with unusual spelling and spacing, and without duplicate names. */
const { object } = fc.letrec<{ object: string; value: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, tie('object')),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(names, tie('value'), space), {
        maxLength: 5,
        selector: ([name]) => name,
      }),
      space,
    )
    .map(
      ([members, end]) =>
        `{${members
          .map(([name, value, gap]) => `${gap}${JSON.stringify(name)}${gap}:${gap}${value}`)
          .join(',')}${end}}`,
    ),
}));

describe('merging JSON text', () => {
  it('gives the result of RFC 7396 for any two objects', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const merged = applyMergePatch(target, patch);
        const expected = mergeModel(modelOf(JSON.parse(target)), modelOf(JSON.parse(patch)));
        expect(textOf(modelOf(JSON.parse(merged)))).toBe(textOf(expected));
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it('preserves the text and order of every member that the patch does not name', () => {
    fc.assert(
      fc.property(object, object, (inner, patch) => {
        const target = `{ "kept" : ${inner} , "x":{"kept": 1.0 ,"y":2}, "last":1e2}`;
        const merged = applyMergePatch(target, `{"x":{"y":${patch}}}`);
        expect(merged.startsWith(`{ "kept" : ${inner} , "x":{"kept": 1.0 ,"y":`)).toBe(true);
        expect(merged.endsWith('}, "last":1e2}')).toBe(true);
      }),
    );
  });

  it('changes nothing, not even whitespace, for an empty patch', () => {
    fc.assert(
      fc.property(object, (target) => {
        expect(applyMergePatch(target, ' {} ')).toBe(target);
      }),
    );
  });

  it.each([
    ['replaces in place', '{"b": 1, "a": 2.0}', '{"b":1.50}', '{"b": 1.50, "a": 2.0}'],
    ['finds a name in any spelling', '{"b":1}', String.raw`{"\u0062":2}`, '{"b":2}'],
    ['adds behind the last', '{"a": 1 }', '{"c" : 3, "b":2}', '{"a": 1,"c" : 3,"b":2 }'],
    ['adds to an empty object', '{ }', '{"a": 1}', '{"a": 1}'],
    ['removes the first', '{ "a":1, "b":2 }', '{"a":null}', '{ "b":2 }'],
    ['removes the last', '{ "a":1, "b":2 }', '{"b":null}', '{ "a":1 }'],
    ['removes between', '{"a":1, "b":2,\n"c":3}', '{"b":null}', '{"a":1,\n"c":3}'],
    ['removes and adds', '{"a":1,"b":2}', '{"b":null,"c":3}', '{"a":1,"c":3}'],
    ['removes all and adds', '{"a":1, "b":2}', '{"b":null,"c":3,"a":null}', '{"c":3}'],
    ['removes all', '{ "a": 1 }', '{"a":null}', '{}'],
    ['ignores null for what is not there', '{"a":1}', '{"b":null}', '{"a":1}'],
    ['drops nulls of new objects', '{"a":1}', '{"a":{"b":null,"c":{"d":null}}}', '{"a":{"c":{}}}'],
    ['keeps nulls in arrays', '{}', '{"a":[null,{"b":null}]}', '{"a":[null,{"b":null}]}'],
    [
      'takes a prototype for a name',
      '{"a":1}',
      '{"__proto__":{"x":1}}',
      '{"a":1,"__proto__":{"x":1}}',
    ],
    [
      'keeps the digits',
      '{"n":12345678901234567890}',
      '{"m":1.0}',
      '{"n":12345678901234567890,"m":1.0}',
    ],
  ])('%s', (_title, target, patch, expected) => {
    expect(applyMergePatch(target, patch)).toBe(expected);
  });

  it('merges deep and wide objects quickly', () => {
    const deep = (value: string) => '{"a":'.repeat(50_000) + value + '}'.repeat(50_000);
    const wide = (value: string) =>
      `{${Array.from({ length: 50_000 }, (_, index) => `"${String(index)}":${value}`).join()}}`;
    const started = performance.now();
    expect(applyMergePatch(deep('1'), deep('{"b":null}'))).toBe(deep('{}'));
    expect(applyMergePatch(wide('1'), wide('null'))).toBe('{}');
    expect(applyMergePatch('{}', wide('{"a":null}'))).toBe(wide('{}'));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
