import fc from 'fast-check';
import { parseJsonObject, restoreSources, sourceRanges, sourceText } from './json-text.js';
import { JsonBodyThreads } from './json-body-reader.js';

const threads = new JsonBodyThreads();
afterAll(() => threads.onApplicationShutdown());

describe('a body that a thread parses', () => {
  it('has the same value and sources as on the event loop', async () => {
    const text = String.raw`{ "__proto__" : {"a": 1.0}, "metadata":{"x" :  1.0}, "operations":[{"op":"create","document":{"metadata": { "1": 1e1 } }}] }`;
    const { value, hash } = await threads.parse('a', Buffer.from(text));
    expect(value).toEqual(parseJsonObject(Buffer.from(text)));
    expect(sourceText(value['metadata'] as object)).toBe('{"x" :  1.0}');
    const [operation] = value['operations'] as { document: { metadata: object } }[];
    expect(sourceText(operation?.document.metadata ?? {})).toBe('{ "1": 1e1 }');
    expect(hash).toHaveLength(32);
  });

  it('is refused as on the event loop', async () => {
    const refused = threads.parse('a', Buffer.from(String.raw`{"a":"\u0000"}`));
    await expect(refused).rejects.toThrow('U+0000');
  });

  it('has the same sources as on the event loop, down to the fourth level', () => {
    const member = fc.jsonValue({ maxDepth: 6 }).filter((value) => typeof value === 'object');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), member, { maxKeys: 5 }), (body) => {
        const text = JSON.stringify(body, undefined, 1);
        const one = parsed(text);
        if (!one) return;
        const other = JSON.parse(text) as object;
        restoreSources(other, sourceRanges(one, Buffer.from(text)));
        expectSameSources(one, other);
      }),
    );
  });
});

/** Returns undefined for an object that a body cannot contain, such as one with half a surrogate pair. */
function parsed(text: string): object | undefined {
  try {
    return parseJsonObject(Buffer.from(text));
  } catch {
    return undefined;
  }
}

function expectSameSources(one: object, other: object, depth = 1): void {
  for (const [name, member] of Object.entries(one)) {
    if (typeof member !== 'object' || member === null) continue;
    const there = (other as Record<string, object>)[name] ?? {};
    expect(sourceText(there)).toBe(sourceText(member as object));
    expect(JSON.parse(sourceText(there))).toEqual(member);
    // The source text has line breaks; the serialized JSON of a value has none.
    const isSource = depth <= 4;
    if (Object.keys(there).length > 0) expect(sourceText(there).includes('\n')).toBe(isSource);
    expectSameSources(member as object, there, depth + 1);
  }
}
