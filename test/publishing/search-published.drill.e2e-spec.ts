import { updateIndex } from '../documents/document-rows.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { drillCount } from '../support/drills.js';
import { expectSuccess } from '../support/envelope.js';
import { act, newDocument, publishingAccount, type PublishedDocument } from './publishing-api.js';

jest.setTimeout(600_000);

const DOCUMENTS = 6;
const STEPS = drillCount({ small: 12, full: 200 });

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** A document whose versions each have a word and a tag of their own. */
interface Tracked {
  id: string;
  /** The word of each version, by number. */
  words: Map<number, string>;
  document: PublishedDocument;
  deleted: boolean;
}

/** Returns a deterministic sequence of numbers from 0 to `most`. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % (most + 1);
  };
}

describe('searches of published versions', () => {
  it('never find a word or tag that was not published, beside random changes; at the end they find exactly what is published', async () => {
    const { api } = await publishingAccount(app);
    /** Words of versions that a request has published or is publishing. */
    const published = new Set<string>();
    const all: string[] = [];
    const wordOf = (version: number, index: number) =>
      `w${String(index)}v${String(version)}${'abcdefghij'[version % 10] ?? ''}`;
    const textOf = (word: string) => ({
      title: `Title ${word}`,
      content: `common ${word}`,
      metadata: { tags: [word] },
    });
    const tracked = await Promise.all(
      Array.from({ length: DOCUMENTS }, async (_, index): Promise<Tracked> => {
        const word = wordOf(1, index);
        all.push(word);
        const document = await newDocument(api, textOf(word));
        return { id: document.id, words: new Map([[1, word]]), document, deleted: false };
      }),
    );
    const run = { ended: false };
    const changing = Promise.all(
      tracked.map(async (one, index) => {
        const random = numbers(index + 1);
        for (let step = 0; step < STEPS; step += 1) await change(api, one, index, random);
      }),
    ).finally(() => {
      run.ended = true;
    });
    const indexing = (async () => {
      while (!run.ended) await updateIndex(app);
    })();
    let searches = 0;
    const searching = (async () => {
      const random = numbers(99);
      while (!run.ended) {
        const word = all[random(all.length - 1)] ?? '';
        for (const query of [`q=${word}`, `tag=${word}`, `q=common&tag=${word}`]) {
          const response = await api.send('GET', `/v1/documents?perspective=published&${query}`);
          const found = expectSuccess(response) as object[];
          searches += 1;
          if (!published.has(word)) expect([query, found]).toEqual([query, []]);
        }
      }
    })();
    await Promise.all([changing, indexing, searching]);
    await updateIndex(app);
    expect(searches).toBeGreaterThan(0);
    const live = new Map(
      tracked.flatMap((one) => {
        const version = one.document.published?.version;
        return version === undefined || one.deleted ? [] : [[one.words.get(version), one.id]];
      }),
    );
    for (const word of new Set(all)) {
      for (const query of [`q=${word}`, `tag=${word}`, `q=common ${word}`]) {
        const response = await api.send('GET', `/v1/documents?perspective=published&${query}`);
        const ids = (expectSuccess(response) as { id: string }[]).map(({ id }) => id);
        expect([query, ids]).toEqual([query, live.has(word) ? [live.get(word)] : []]);
      }
    }
    const counted = await api.send('GET', '/v1/documents?perspective=published');
    expect(counted.body.meta.pagination.total).toBe(live.size);

    /** Makes a random change, and records what is published by then. */
    async function change(
      client: ApiClient,
      one: Tracked,
      index: number,
      random: (most: number) => number,
    ): Promise<void> {
      const { id, document } = one;
      const path = `/v1/documents/${id}`;
      const kind = random(9);
      if (one.deleted) {
        one.document = expectSuccess(await client.restoreDocument(id)) as PublishedDocument;
        one.deleted = false;
      } else if (kind <= 3) {
        const word = wordOf(document.version + 1, index);
        all.push(word);
        one.document = expectSuccess(
          await client.send('PATCH', path, { body: textOf(word) }),
        ) as PublishedDocument;
        one.words.set(one.document.version, word);
      } else if (kind <= 6) {
        const version = kind === 4 ? 1 + random(document.version - 1) : document.version;
        published.add(one.words.get(version) ?? '');
        const response = await act(client, one, 'publish', { version });
        one.document = expectSuccess(response) as PublishedDocument;
        fill(one);
      } else if (kind === 7 && document.published) {
        const action = random(1) === 0 ? 'unpublish' : 'discard';
        const word = one.words.get(document.published.version) ?? '';
        one.document = expectSuccess(await act(client, one, action)) as PublishedDocument;
        if (action === 'discard') one.words.set(one.document.version, word);
        fill(one);
      } else if (kind === 8) {
        expectSuccess(await client.deleteDocument(id));
        one.deleted = true;
      }
    }

    /** Versions that only change the status have the word of the version before. */
    function fill({ words, document: { version } }: Tracked): void {
      for (let number = 2; number <= version; number += 1) {
        const before = words.get(number - 1);
        if (!words.has(number) && before !== undefined) words.set(number, before);
      }
    }
  });
});
