import dns, { type LookupAddress } from 'node:dns';
import { NameLookup } from './guarded-connector.js';

type Done = (error: Error | null, addresses?: LookupAddress[]) => void;

/** Replaces the system's lookup. Each lookup waits until a test resolves it. */
const asked: { name: string; done: Done }[] = [];
beforeEach(() => {
  asked.length = 0;
  jest.spyOn(dns, 'lookup').mockImplementation(((name: string, _: object, done: Done) => {
    asked.push({ name, done });
  }) as never);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const names = () => asked.map(({ name }) => name);
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a lookup of a name', () => {
  it('is shared by concurrent calls and repeated for later ones', async () => {
    const lookup = new NameLookup();
    const both = [lookup.addresses('a.example.com'), lookup.addresses('a.example.com')];
    await turn();
    expect(names()).toEqual(['a.example.com']);
    asked[0]?.done(null, [{ address: '192.0.2.1', family: 4 }]);
    expect(await Promise.all(both)).toEqual(Array(2).fill([{ address: '192.0.2.1', family: 4 }]));
    void lookup.addresses('a.example.com');
    expect(names()).toHaveLength(2);
  });

  it('runs one at a time for names that failed before, without blocking other names', async () => {
    const lookup = new NameLookup();
    const troubled = ['one', 'two', 'three'].map((name) => `${name}.example.com`);
    const first = troubled.map((name) => lookup.addresses(name));
    for (const name of troubled) {
      await turn();
      asked.find((one) => one.name === name)?.done(new Error('EAI_AGAIN'));
    }
    await Promise.allSettled(first);
    asked.length = 0;

    const again = troubled.map((name) => lookup.addresses(name));
    void lookup.addresses('new.example.com');
    await turn();
    expect(names().sort()).toEqual(['new.example.com', 'one.example.com']);
    asked.find(({ name }) => name.startsWith('one'))?.done(null, []);
    await again[0];
    await turn();
    expect(names().at(-1)).toBe('two.example.com');
    // It was quick, so it no longer waits.
    void lookup.addresses('one.example.com');
    expect(names().at(-1)).toBe('one.example.com');
  });

  it('starts immediately for a name that was quick, however many new names are never resolved', async () => {
    const lookup = new NameLookup();
    const healthy = lookup.addresses('healthy.example.com');
    await turn();
    asked[0]?.done(null, [{ address: '192.0.2.1', family: 4 }]);
    await healthy;
    asked.length = 0;

    for (let index = 0; index < 50; index += 1) {
      void lookup.addresses(`hostile-${String(index)}.example.com`);
    }
    await turn();
    // Two of Node's four threads.
    expect(names()).toHaveLength(2);
    void lookup.addresses('healthy.example.com');
    expect(names().at(-1)).toBe('healthy.example.com');
  });
});
