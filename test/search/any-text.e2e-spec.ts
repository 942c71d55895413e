import fc from 'fast-check';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { propertyRuns } from '../support/property-runs.js';

let app: TestApp;
let api: ApiClient;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' }, runTasks: true });
  ({ api } = await app.account());
});
afterAll(() => app.close());

/** Returns the statuses of every route that searches, for one text. */
async function statusesOf(q: string): Promise<number[]> {
  const routes = ['/v1/documents', '/v1/documents/facets', '/v1/templates'];
  const responses = await Promise.all(
    routes.map((path) => api.send('GET', `${path}?q=${encodeURIComponent(q)}`)),
  );
  return responses.map(({ status }) => status);
}

/** Returns characters that may contain no letter after normalization: marks, modifiers, signs and their containers. */
function doubtfulCharacters(): string[] {
  const found: string[] = [];
  for (let code = 1; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (
      /[\p{M}\p{Lm}\p{Sk}\p{Cf}\p{Zs}]/u.test(character) ||
      /[\s\p{M}]/u.test(character.normalize('NFKC'))
    ) {
      found.push(character);
    }
  }
  return found;
}

describe('a search', () => {
  it.each(['´', '¨', '¸', 'x ´', '"´"', '-´', '"x ´"', '\u0301', '\u0640', 'ـ ـ', '´ or x', "´'´"])(
    'a search for %j finds nothing or something, and never fails',
    async (q) => {
      expect(await statusesOf(q)).toEqual([200, 200, 200]);
    },
  );

  it('a search never fails for any marks and signs', async () => {
    const characters = doubtfulCharacters();
    expect(characters.length).toBeGreaterThan(2_000);
    for (let first = 0; first < characters.length; first += 40) {
      const some = characters.slice(first, first + 40);
      for (const q of [some.join(' '), `x${some.join('')}`, `"${some.join(' ')}"`]) {
        expect([q, await statusesOf(q)]).toEqual([q, [200, 200, 200]]);
      }
    }
  }, 120_000);

  it('a search never fails for any text', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
      fc.string({
        unit: fc.constantFrom(
          '´',
          '\u0301',
          '\u0640',
          '"',
          '-',
          "'",
          ' ',
          'or',
          'ก',
          '\u0e31',
          'x',
          '\\',
          '&',
          ':*',
        ),
        minLength: 1,
        maxLength: 12,
      }),
    );
    await fc.assert(
      fc.asyncProperty(text, async (q) => {
        for (const status of await statusesOf(q)) expect([200, 400]).toContain(status);
      }),
      { numRuns: propertyRuns(300) },
    );
  }, 120_000);

  it('a search finds documents whose text has marks without letters, and shows where', async () => {
    const marks = doubtfulCharacters().join(' ');
    await api.createDocument({ title: '´', content: `${marks} lighthouse ´ \u0640` });
    await eventually(
      () => api.send('GET', '/v1/documents?q=lighthouse'),
      ({ body }) => (body.data as unknown[]).length === 1,
    );
    expect(await statusesOf('lighthouse ´')).toEqual([200, 200, 200]);
  });
});
