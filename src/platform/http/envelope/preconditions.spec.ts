import { readEntityTags } from './preconditions.js';

const strong = (opaque: string) => ({ weak: false, opaque });
const weak = (opaque: string) => ({ weak: true, opaque });

describe('a list of entity tags', () => {
  it.each([
    ['"8"', [strong('"8"')]],
    ['W/"8"', [weak('"8"')]],
    ['"7", W/"8" ,"9"', [strong('"7"'), weak('"8"'), strong('"9"')]],
    ['"a,b", "c"', [strong('"a,b"'), strong('"c"')]],
    ['"*"', [strong('"*"')]],
    ['""', [strong('""')]],
    [', "8",, ', [strong('"8"')]],
    [' * ', '*'],
  ])('is parsed from %j', (header, tags) => {
    expect(readEntityTags(header)).toEqual(tags);
  });

  it.each(['8', 'W/8', '"8', '8"', '"7" "8"', '"7", 8', 'w/"8"', '*, "8"', "'8'", '“8”', '', ',', '"a b"'])(
    'is not what %j is',
    (header) => {
      expect(readEntityTags(header)).toBeUndefined();
    },
  ); // prettier-ignore

  it('is parsed quickly in any spelling', () => {
    const started = performance.now();
    for (const part of [', ', '"8",', 'W/', '"', ' \t']) readEntityTags(part.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
