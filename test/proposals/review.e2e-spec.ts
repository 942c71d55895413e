import fc from 'fast-check';
import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { WordListProvider } from '../analysis/word-list-provider.js';
import { whileBusy, type ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { propertyRuns } from '../support/property-runs.js';
import {
  eventsOf,
  inboxOf,
  newDocument,
  propose,
  proposed,
  readDocument,
  textOf,
  type Proposal,
} from './proposals-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all' },
    overrides: [[AnalysisProviders, new WordListProvider()]],
  });
});
afterAll(() => app.close());

const WORDS = 'the a of results team grew best new report first they it was data plan page'.split(
  ' ',
);
const word = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.nat(300).map((n) => `w${String(n)}`),
);
const sentences = fc.array(fc.array(word, { minLength: 5, maxLength: 12 }), {
  minLength: 12,
  maxLength: 20,
});
const joined = (all: readonly (readonly string[])[]) =>
  all.map((words, n) => `${words.join(' ')}.${n % 4 === 3 ? '\n\n' : ' '}`).join('');
const fraction = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const places = fc.uniqueArray(fraction, { minLength: 1, maxLength: 8 });

/** Returns the number of a sentence and of a word in it. */
function at(all: readonly (readonly string[])[], place: number): [number, number] {
  const sentence = Math.floor(place * all.length);
  const within = place * all.length - sentence;
  return [sentence, Math.floor(within * (all[sentence]?.length ?? 1))];
}

function changed(all: readonly (readonly string[])[], where: readonly number[], name: string) {
  const copy = all.map((words) => [...words]);
  for (const [n, place] of where.entries()) {
    const [sentence, index] = at(all, place);
    const words = copy[sentence];
    if (words) words[index] = `${name}${String(n)}`;
  }
  return copy;
}

/** Returns the offset of a word in the joined text. */
function offsetOf(all: readonly (readonly string[])[], sentence: number, index: number): number {
  const before = joined(all.slice(0, sentence));
  return before.length + [...(all[sentence] ?? []).slice(0, index), ''].join(' ').length;
}

/** Adds copies of a proposal, because sending thousands takes long. */
async function addCopies(proposal: string, count: number): Promise<void> {
  await app.dataSource.query(
    `INSERT INTO enhancements
     SELECT copy.* FROM enhancements AS made, generate_series(1, $2) AS n,
            LATERAL jsonb_populate_record(made, jsonb_build_object('id', gen_random_uuid(), 'n', n)) AS copy
      WHERE made.id = $1`,
    [decodeId('enhancement', proposal), count],
  );
}

const applyAll = (api: ApiClient, id: string, proposal: string) =>
  whileBusy(() => api.applySuggestions(id, proposal, { suggestionIds: 'all' }));

describe('Applying a proposal', () => {
  it('Applying a proposal changes only its passages in a document that others edit, and loses few of them', async () => {
    const { api } = await app.account();
    const count = { untouched: 0, applied: 0 };
    await fc.assert(
      fc.asyncProperty(sentences, places, places, async (all, ours, theirs) => {
        const id = await newDocument(api, joined(all));
        const targets = [...new Map(ours.map((place) => [at(all, place).join(), at(all, place)])).values()];
        const edits = targets.map(([sentence, index], n) => {
          const start = offsetOf(all, sentence, index);
          return { start, end: start + (all[sentence]?.[index]?.length ?? 0), replacement: `NEW${String(n)}` };
        });
        const made = await proposed(api, id, { edits });
        const edited = changed(all, theirs, 'theirs');
        await api.patchDocument(id, { content: joined(edited) });
        const applied = expectSuccess(await applyAll(api, id, made.id)) as Proposal;
        // The result is the text of the others, with exactly the accepted words replaced.
        const accepted = new Set(applied.suggestions.flatMap(({ status, replacements: [best] }) => status === 'accepted' ? [best?.value] : []));
        const expected = edited.map((words) => [...words]);
        for (const [n, [sentence, index]] of targets.entries()) {
          const touched = edited[sentence]?.[index] !== all[sentence]?.[index];
          const isAccepted = accepted.has(`NEW${String(n)}`);
          if (touched) expect(isAccepted).toBe(false);
          else count.untouched += 1;
          if (!isAccepted) continue;
          count.applied += 1;
          const words = expected[sentence];
          if (words) words[index] = `NEW${String(n)}`;
        }
        expect(await textOf(api, id)).toBe(joined(expected));
      }),
      { numRuns: propertyRuns(500) },
    );
    expect(count.applied / count.untouched).toBeGreaterThan(0.85);
  }, 300_000); // prettier-ignore

  it('Applying a proposal of a whole text gives this text', async () => {
    const { api } = await app.account();
    const piece = fc.array(fc.oneof(word, fc.constantFrom('.', '. ', ' ', '\n', '🙂', '永和', '\r\n')), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(piece, piece, piece, piece, async (start, before, after, end) => {
        const [old, sent] = [[...start, ...before, ...end].join(''), [...start, ...after, ...end].join('')];
        if (old === sent) return;
        const id = await newDocument(api, old);
        const made = await proposed(api, id, { content: sent });
        expect(made.preview).toBe(sent);
        await applyAll(api, id, made.id);
        expect(await textOf(api, id)).toBe(sent);
      }),
      { numRuns: propertyRuns(500) },
    );
  }, 300_000); // prettier-ignore

  it('Applying a proposal makes another one for the same passage stale', async () => {
    const { api } = await app.account();
    const id = await newDocument(api, 'The results was better. The end.');
    const one = await proposed(api, id, { edits: [{ quote: 'was', replacement: 'were' }] });
    const other = await proposed(api, id, { edits: [{ quote: 'results was', replacement: 'result was' }] }); // prettier-ignore
    await applyAll(api, id, one.id);
    expect(expectSuccess(await applyAll(api, id, other.id))).toMatchObject({
      status: 'stale',
      documentVersion: 2,
    });
    expect(await textOf(api, id)).toBe('The results were better. The end.');
  });

  it('Applying a proposal twice at once applies it once', async () => {
    const { api } = await app.account();
    const id = await newDocument(api, 'The results was better.');
    const made = await proposed(api, id, { edits: [{ quote: 'was', replacement: 'were' }] });
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => applyAll(api, id, made.id)),
    );
    for (const response of responses) expectSuccess(response);
    expect(await readDocument(api, id)).toMatchObject({
      content: 'The results were better.',
      version: 2,
    });
    expect(await eventsOf(api, 'proposal.decided')).toHaveLength(1);
  });

  it('Applying a proposal with safe applies nothing, because a person decides about each change', async () => {
    const { api } = await app.account();
    const id = await newDocument(api, 'The results was better.');
    const made = await proposed(api, id, { title: 'New', content: 'The results were better.' });
    const response = await api.applySuggestions(id, made.id, { suggestionIds: 'all', safe: true });
    expect(expectSuccess(response)).toMatchObject({ status: 'proposed', documentVersion: 1 });
  });
});

describe('The same change', () => {
  it('The same change sent by ten agents at once is open once', async () => {
    const account = await app.account();
    const id = await newDocument(account.api, 'The results was better.');
    const edits = [{ quote: 'was', replacement: 'were' }];
    const agents = await Promise.all(
      Array.from({ length: 10 }, async () =>
        app.api((await app.anotherKey(account, { scopes: ['documents:suggest'] })).key),
      ),
    );
    const responses = await Promise.all(
      agents.map((agent) => whileBusy(() => propose(agent, id, { edits }))),
    );
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    expect((await inboxOf(account.api)).meta.pagination.total).toBe(1);
  });

  it('The same change is refused after it was rejected, also when its sentence has moved, and other words are not', async () => {
    const { api } = await app.account();
    const id = await newDocument(api, 'First. The results was better. Last.');
    const edits = [{ quote: 'was', replacement: 'were' }];
    const made = await proposed(api, id, { edits });
    expectSuccess(await api.rejectSuggestions(id, made.id, { suggestionIds: 'all' }));
    await api.patchDocument(id, {
      content: 'Last.\n\nThe results was better.\n\nMore text. First.',
    });
    const again = await propose(api, id, { edits });
    expectFailure(again, 409, 'INVALID_REQUEST');
    expect(again.body).toMatchObject({ error: { details: { dropped: { rejected: 1 } } } });
    const both = await proposed(api, id, {
      edits: [...edits, { quote: 'More', replacement: 'Much more' }],
    });
    expect(both).toMatchObject({ dropped: { rejected: 1 }, suggestionCounts: { open: 1 } });
    await proposed(api, id, { edits: [{ quote: 'was', replacement: 'are' }] });
    expectSuccess(
      await api.send('DELETE', `/v1/documents/${id}/dismissals/${made.suggestions[0]?.id ?? ''}`),
    );
    await proposed(api, id, { edits });
  });

  it('The same change is open once, and stays rejected, however much of the sentence an edit quotes', async () => {
    const { api } = await app.account();
    const text = 'The results was better. Revenue grew by 12 %.\n';
    const id = await newDocument(api, text);
    const made = await proposed(api, id, { edits: [{ quote: '12 %', replacement: '13 %' }] });
    const others = [
      { edits: [{ quote: 'grew by 12', replacement: 'grew by 13' }] },
      { edits: [{ quote: 'Revenue grew by 12 %.', replacement: 'Revenue grew by 13 %.' }] },
      { edits: [{ quote: 'better. Revenue grew by 12', replacement: 'better. Revenue grew by 13' }] },
      { content: text.replace('12', '13') },
    ];
    const expectDropped = async (dropped: object) => {
      for (const body of others) {
        const response = await propose(api, id, body);
        expectFailure(response, 409, 'INVALID_REQUEST');
        expect(response.body).toMatchObject({ error: { details: { dropped } } });
      }
    };
    await expectDropped({ 'already proposed': 1 });
    expectSuccess(await api.rejectSuggestions(id, made.id, { suggestionIds: 'all' }));
    await expectDropped({ rejected: 1 });
  }); // prettier-ignore

  it('The same change in an equal sentence, or of another word of the sentence, is another change', async () => {
    const { api } = await app.account();
    const id = await newDocument(api, 'It was what it was. It was what it was.');
    for (const occurrence of [1, 2, 3, 4]) {
      await proposed(api, id, { edits: [{ quote: 'was', occurrence, replacement: 'is' }] });
    }
    expectFailure(
      await propose(api, id, { edits: [{ quote: 'was', occurrence: 3, replacement: 'is' }] }),
      409,
      'INVALID_REQUEST',
    );
  });
});

describe('A document', () => {
  it('A document takes 50 open proposals, also of 60 at once, and more after a decision', async () => {
    const { api } = await app.account();
    const id = await newDocument(api, 'Text.');
    const send = (n: number) =>
      whileBusy(() =>
        propose(api, id, { edits: [{ start: 0, end: 0, replacement: `${String(n)} ` }] }),
      );
    const responses = await Promise.all(Array.from({ length: 60 }, (_, n) => send(n)));
    const made = responses.filter(({ status }) => status === 201);
    expect(made).toHaveLength(50);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expectFailure(response, 409, 'INVALID_REQUEST');
      expect(response.body).toMatchObject({ error: { details: { limit: 50, of: 'document' } } });
    }
    expect((await inboxOf(api)).meta.pagination.total).toBe(50);
    const { id: first } = expectSuccess(
      made[0] ?? responses[0] ?? (await send(0)),
      201,
    ) as Proposal;
    expectSuccess(await api.rejectSuggestions(id, first, { suggestionIds: 'all' }));
    expectSuccess(await send(100), 201);
  }, 120_000);

  it('A document takes no more open proposals if its account has 5,000, also while proposals to others are sent', async () => {
    const { api } = await app.account();
    const documents = await Promise.all(
      Array.from({ length: 12 }, (_, n) => newDocument(api, `Text ${String(n)}.`)),
    );
    const { id } = await proposed(api, await newDocument(api, 'Full.'), { title: 'Copied' });
    await addCopies(id, 4_994);
    const responses = await Promise.all(
      documents.map((document) => whileBusy(() => propose(api, document, { content: 'New.' }))),
    );
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(7);
    for (const response of refused) {
      expectFailure(response, 409, 'INVALID_REQUEST');
      expect(response.body).toMatchObject({ error: { details: { limit: 5_000, of: 'account' } } });
    }
    expect((await inboxOf(api)).meta.pagination.total).toBe(5_000);
  });

  it('A document with autoEnhance keeps its open proposals through 200 edits', async () => {
    const { api } = await app.account();
    const id = await newDocument(api, 'teh cat 0.', { aiSettings: { autoEnhance: true } });
    const proposals = await Promise.all(
      [1, 2, 3].map((n) => proposed(api, id, { title: `Title ${String(n)}` })),
    );
    for (let edit = 1; edit <= 200; edit += 1) {
      await whileBusy(() => api.patchDocument(id, { content: `teh cat ${String(edit)}.` }));
      app.clock.advance(5_000);
      await app.app.get(BackgroundTasks).runAll();
    }
    const { data } = await inboxOf(api);
    expect(data.map((one) => one.id).sort()).toEqual(proposals.map((one) => one.id).sort());
    const list = await api.listEnhancements(id, { limit: 100 });
    const { pagination } = (list.body as { meta: { pagination: { total: number } } }).meta;
    expect(pagination.total).toBeGreaterThan(90);
  }, 300_000);
});

describe('The inbox', () => {
  it('The inbox counts up to 10,000 proposals exactly, and says if there are more', async () => {
    const { api } = await app.account();
    const id = await newDocument(api, 'One.');
    const { id: proposal } = await proposed(api, id, { title: 'Uno' });
    await api.rejectSuggestions(id, proposal, { suggestionIds: 'all' });
    const paginationOf = async (query: string) =>
      (await inboxOf(api, `?status=decided${query}`)).meta.pagination;
    await addCopies(proposal, 9_999);
    const last = { total: 10_000, pages: 100, hasMore: false, nextCursor: null };
    expect(await paginationOf('&limit=100&page=100')).toEqual({ page: 100, limit: 100, ...last });
    await addCopies(proposal, 1);
    expect(await paginationOf('&limit=100&page=100')).toMatchObject({
      total: 10_000,
      totalIsLowerBound: true,
      hasMore: true,
    });
    expect(await paginationOf('&limit=1')).toMatchObject({ totalIsLowerBound: true });
  });

  it('The inbox lists open and decided proposals of all documents outside the trash, by key, person and document', async () => {
    const account = await app.account();
    const { api } = account;
    const agent = await app.anotherKey(account, { scopes: ['documents:suggest'] });
    const [one, other] = [await newDocument(api, 'One.'), await newDocument(api, 'Two.')];
    const a = await proposed(app.api(agent.key), one, { content: 'Uno.' });
    const b = await proposed(api, other, { title: 'Due' });
    const c = await proposed(api, other, { content: 'Due.' });
    await api.rejectSuggestions(other, c.id, { suggestionIds: 'all' });
    const idsOf = async (query: string) => (await inboxOf(api, query)).data.map(({ id }) => id);
    expect(await idsOf('')).toEqual([b.id, a.id]);
    expect(await idsOf('?order=asc')).toEqual([a.id, b.id]);
    expect(await idsOf('?status=decided')).toEqual([c.id]);
    expect(await idsOf(`?documentId=${other}`)).toEqual([b.id]);
    expect(await idsOf(`?keyId=${a.proposal?.key?.id ?? ''}`)).toEqual([a.id]);
    expect(await idsOf(`?createdBy=${account.user.id}`)).toEqual([b.id, a.id]);
    const { data, meta } = await inboxOf(api, '?limit=1');
    expect(data).toMatchObject([{ id: b.id, proposal: { document: { title: 'Text' } } }]);
    expect(meta.pagination).toMatchObject({ total: 2, hasMore: true });
    expect(await idsOf(`?limit=1&cursor=${meta.pagination.nextCursor ?? ''}`)).toEqual([a.id]);
    await api.deleteDocument(other);
    expect(await idsOf('')).toEqual([a.id]);
    expectFailure(await propose(api, other, { title: 'In the trash' }), 404, 'NOT_FOUND');
    await api.restoreDocument(other);
    expect(await idsOf('')).toEqual([b.id, a.id]);
    await api.deleteDocument(other);
    await api.deleteDocument(other, { permanent: true });
    expect(await idsOf('')).toEqual([a.id]);
    const stranger = await app.account();
    expect((await inboxOf(stranger.api)).data).toEqual([]);
  });

  it('The inbox appears in the audit log as proposed, rejected and withdrawn changes', async () => {
    const { api } = await app.account();
    const id = await newDocument(api, 'One.');
    const a = await proposed(api, id, { content: 'Uno.' });
    const b = await proposed(api, id, { title: 'Uno' });
    await api.rejectSuggestions(id, a.id, { suggestionIds: 'all' });
    await api.send('POST', `/v1/documents/${id}/enhancements/${b.id}/withdraw`);
    const entries = expectSuccess(await api.send('GET', '/v1/audit?resourceType=enhancement')) as {
      action: string;
    }[];
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'enhancement.propose',
      'enhancement.propose',
      'enhancement.reject',
      'enhancement.withdraw',
    ]);
  });
});
