import fc from 'fast-check';
import {
  parseJsonObject,
  revealMembers,
  revealSources,
  sourcePlaces,
  sourceText,
} from './json-text.js';
import { JsonBodyThreads } from './json-body-threads.js';

const threads = new JsonBodyThreads();
afterAll(() => threads.onApplicationShutdown());

describe('a body that a thread parses', () => {
  it('is what the event loop would make of it, with its sources', async () => {
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

  it('tells the same source of every member, to any depth', () => {
    const member = fc.jsonValue({ maxDepth: 6 }).filter((value) => typeof value === 'object');
    fc.assert(
      fc.property(fc.dictionary(fc.string(), member, { maxKeys: 5 }), (body) => {
        const text = JSON.stringify(body, undefined, 1);
        const one = parsed(text);
        if (!one) return;
        const other = JSON.parse(text) as object;
        revealSources(other, sourcePlaces(one, Buffer.from(text)));
        same(one, other);
      }),
    );
  });
});

/** Undefined for what no body may hold, such as half of a surrogate pair. */
function parsed(text: string): object | undefined {
  try {
    return parseJsonObject(Buffer.from(text));
  } catch {
    return undefined;
  }
}

function same(one: object, other: object): void {
  for (const [name, member] of Object.entries(one)) {
    if (typeof member !== 'object' || member === null) continue;
    const there = (other as Record<string, object>)[name] ?? {};
    expect(sourceText(there)).toBe(sourceText(member as object));
    revealMembers(member as object);
    revealMembers(there);
    same(member as object, there);
  }
}
