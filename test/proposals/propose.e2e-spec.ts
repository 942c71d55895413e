import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import type { Scope } from '../../src/features/auth/scopes.js';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import {
  eventsOf,
  propose,
  proposed,
  readDocument,
  textOf,
  type Proposal,
  newDocument,
} from './proposals-api.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const TEXT =
  'The results was better. Revenue grew by 12 %.\nWe thank the team. We thank the board.\n';

async function account() {
  const owner = await app.account();
  const keyOf = async (...scopes: Scope[]) => {
    const { key, keyId } = await app.anotherKey(owner, { scopes });
    return { api: app.api(key), keyId };
  };
  return { ...owner, keyOf };
}

/** Returns the requests that change the document or its proposals other than by proposing. */
const otherWrites = (id: string, enhancement: string): [string, string, object?][] => [
  ['PATCH', `/v1/documents/${id}`, { title: 'Taken' }],
  ['PUT', `/v1/documents/${id}`, { title: 'Taken' }],
  ['DELETE', `/v1/documents/${id}`],
  ['POST', '/v1/documents', { title: 'Mine' }],
  ['POST', `/v1/documents/${id}/edits`, { edits: [{ op: 'append', text: '!' }] }],
  ['POST', `/v1/documents/${id}/versions/1/restore`],
  ['POST', `/v1/documents/${id}/copy`, {}],
  ['POST', `/v1/documents/${id}/enhance`, {}],
  ['POST', `/v1/documents/${id}/analyze`, {}],
  ['POST', `/v1/documents/${id}/dismissals`, { issueIds: ['iss_1'] }],
  ['POST', `/v1/documents/${id}/enhancements/${enhancement}/apply`, { suggestionIds: 'all' }],
  ['POST', `/v1/documents/${id}/enhancements/${enhancement}/accept`, { suggestionIds: ['iss_1'] }],
  ['POST', `/v1/documents/${id}/enhancements/${enhancement}/reject`, { suggestionIds: 'all' }],
  ['POST', '/v1/dictionary/add', { words: ['a'] }],
  ['POST', '/v1/templates', { name: 'a', content: 'b' }],
  ['POST', '/v1/keys', { name: 'a', scopes: ['documents:suggest'] }],
];

const problemsOf = ({ body }: ApiResponse) =>
  (body as { error: { details: { problems: { field: string; issue: string }[] } } }).error.details
    .problems;

async function bodyFails(api: ApiClient, id: string, body: object): Promise<[string, string][]> {
  const response = await propose(api, id, body);
  expectFailure(response, 400, 'INVALID_REQUEST');
  return problemsOf(response).map(({ field, issue }) => [field, issue]);
}

describe('A key that may only suggest', () => {
  it('A key that may only suggest proposes, reads and withdraws, and makes no other change', async () => {
    const { api, keyOf } = await account();
    const id = await newDocument(api, TEXT);
    const agent = await keyOf('documents:suggest', 'documents:read');
    const edits = [{ quote: 'results was', replacement: 'results were', message: 'Plural.' }];
    const response = await propose(agent.api, id, { edits, message: 'Grammar' });
    const made = expectSuccess(response, 201) as Proposal;
    expect(response.headers['location']).toBe(`/v1/documents/${id}/enhancements/${made.id}`);
    expect(made).toMatchObject({
      status: 'proposed',
      jobId: null,
      goals: [],
      automatic: false,
      baseVersion: 1,
      textVersion: 1,
      suggestionCounts: { open: 1 },
      dropped: {},
      fieldChanges: [],
      preview: TEXT.replace('results was', 'results were'),
      proposal: {
        message: 'Grammar',
        key: { id: encodeId('key', agent.keyId), name: 'test' },
        document: { title: 'Text', version: 1 },
      },
    });
    expect(made.suggestions).toMatchObject([
      {
        category: 'proposal',
        source: 'proposal',
        message: 'Plural.',
        original: 'results was',
        replacements: [{ value: 'results were', confidence: 0.7 }],
        safe: false,
        start: 4,
        end: 15,
        line: 1,
        column: 5,
      },
    ]);
    for (const [method, path, body] of otherWrites(id, made.id)) {
      const refused = await agent.api.send(method, path, body ? { body } : {});
      expect([method, path, refused.status]).toEqual([method, path, 403]);
    }
    expect(await textOf(api, id)).toBe(TEXT);
    const path = `/v1/documents/${id}/enhancements/${made.id}`;
    expect(expectSuccess(await agent.api.send('GET', path))).toEqual(made);
    const withdrawn = await agent.api.send('POST', `${path}/withdraw`);
    expect(expectSuccess(withdrawn)).toMatchObject({
      status: 'stale',
      suggestionCounts: { open: 0, stale: 1, rejected: 0 },
    });
    expect(expectSuccess(await agent.api.send('POST', `${path}/withdraw`))).toMatchObject({
      status: 'stale',
    });
    expect(await eventsOf(api, 'proposal.decided')).toEqual([
      { id: made.id, accepted: 0, rejected: 0, stale: 1, withdrawn: true },
    ]);
    // Withdrawing dismisses nothing.
    expectSuccess(await propose(agent.api, id, { edits }), 201);
  });

  it('A key that may only suggest cannot withdraw what another key sent', async () => {
    const { api, keyOf } = await account();
    const id = await newDocument(api, TEXT);
    const [one, other] = [await keyOf('documents:suggest'), await keyOf('documents:suggest')];
    const { id: proposal } = await proposed(one.api, id, { content: 'Other text.' });
    const path = `/v1/documents/${id}/enhancements/${proposal}/withdraw`;
    expectFailure(await other.api.send('POST', path), 403, 'FORBIDDEN');
    expectFailure(await api.send('POST', path), 403, 'FORBIDDEN');
  });

  it('A key that may only suggest withdraws what the keys sent that it replaced, and those cannot withdraw what it sent', async () => {
    const { api, keyOf } = await account();
    const id = await newDocument(api, TEXT);
    const first = await keyOf('documents:suggest');
    const { id: proposal } = await proposed(first.api, id, { content: 'Other text.' });
    const withdraw = (by: ApiClient, sent: string) =>
      by.send('POST', `/v1/documents/${id}/enhancements/${sent}/withdraw`);
    const rotate = async (keyId: string) => {
      const path = `/v1/keys/${keyId}/rotate`;
      const response = await api.send('POST', path, { body: { gracePeriodSeconds: 600 } });
      return expectSuccess(response, 201) as { id: string; key: string };
    };
    const second = await rotate(encodeId('key', first.keyId));
    const third = await rotate(second.id);
    expectFailure(
      await withdraw((await keyOf('documents:suggest')).api, proposal),
      403,
      'FORBIDDEN',
    );
    expectSuccess(await withdraw(app.api(third.key), proposal));
    const { id: later } = await proposed(app.api(third.key), id, { content: 'Another text.' });
    expectFailure(await withdraw(first.api, later), 403, 'FORBIDDEN');
    expectFailure(await withdraw(app.api(second.key), later), 403, 'FORBIDDEN');
  });

  it('A key that may only analyze cannot reject proposals, and one that may write can', async () => {
    const { api, keyOf } = await account();
    const id = await newDocument(api, TEXT);
    const { id: proposal } = await proposed(api, id, { content: 'Other text.' });
    const reject = async (scope: Scope) =>
      (await keyOf(scope)).api.send('POST', `/v1/documents/${id}/enhancements/${proposal}/reject`, {
        body: { suggestionIds: 'all' },
      });
    expectFailure(await reject('documents:analyze'), 403, 'FORBIDDEN');
    expect(expectSuccess(await reject('documents:write'))).toMatchObject({ status: 'rejected' });
    expect(await eventsOf(api, 'proposal.decided')).toMatchObject([{ rejected: 1, accepted: 0 }]);
  });
});

describe('The edits of a proposal', () => {
  it('The edits of a proposal replace, delete and insert', async () => {
    const { api } = await account();
    const id = await newDocument(api, TEXT);
    const edits = [
      { quote: 'We thank', occurrence: 2, replacement: 'We also thank' },
      { quote: ' better', replacement: ' best' },
      { start: 0, end: 0, replacement: 'Draft: ' },
      { quote: 'Revenue grew by 12 %.', replacement: '' },
    ];
    const made = await proposed(api, id, { edits, message: 'Better words' });
    expect(made.suggestions.map(({ original }) => original)).toEqual([
      '',
      ' better',
      'Revenue grew by 12 %.',
      'We thank',
    ]);
    const expected = 'Draft: The results was best. \nWe thank the team. We also thank the board.\n';
    expect(made.preview).toBe(expected);
    const applied = await api.applySuggestions(id, made.id, { suggestionIds: 'all' });
    expect(expectSuccess(applied)).toMatchObject({ status: 'applied', documentVersion: 2 });
    expect(await textOf(api, id)).toBe(expected);
    const version = await api.send('GET', `/v1/documents/${id}/versions/2`);
    expect(expectSuccess(version)).toMatchObject({
      origin: { type: 'enhancement', enhancementId: made.id },
    });
    expect(await eventsOf(api, 'proposal.created')).toEqual([
      { id: made.id, baseVersion: 1, suggestions: 4 },
    ]);
    const [{ id: event } = { id: '' }] = expectSuccess(
      await api.send('GET', '/v1/events?type=proposal.created'),
    ) as { id: string }[];
    expect(expectSuccess(await api.send('GET', `/v1/events/${event}`))).toMatchObject({
      data: { proposal: { id: made.id, message: 'Better words' } },
    });
    expect(await eventsOf(api, 'proposal.decided')).toEqual([
      { id: made.id, accepted: 4, rejected: 0, stale: 0, withdrawn: false },
    ]);
  });

  it('The edits of a proposal are refused one by one, with what is near a missing quote', async () => {
    const { api } = await account();
    const id = await newDocument(api, TEXT);
    const missing = { quote: 'Revenue grew by 15 %.', replacement: 'x' };
    const response = await propose(api, id, {
      edits: [
        missing,
        { quote: 'We thank', replacement: 'x' },
        { quote: 'We thank', occurrence: 3, replacement: 'x' },
        { quote: 'results was', replacement: 'x' },
        { quote: 'was better', replacement: 'x' },
        { start: 5, end: 4, replacement: 'x' },
        { start: 0, end: 5_000, replacement: 'x' },
      ],
    });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(problemsOf(response)).toEqual([
      { field: 'edits[0].quote', issue: 'does not occur in the base version' },
      {
        field: 'edits[1].quote',
        issue: 'occurs 2 times; quote more of the surrounding text, or set occurrence',
      },
      {
        field: 'edits[2].occurrence',
        issue: 'must not be greater than 2, the number of occurrences',
      },
      { field: 'edits[5].start', issue: 'must not be greater than end' },
      {
        field: 'edits[6].end',
        issue: `must not be greater than ${String(TEXT.length)}, the length of the content in UTF-16 units`,
      },
      { field: 'edits[4]', issue: 'overlaps edits[3]; send one edit for the passage' },
    ]);
    expect((response.body as { error: { details: object } }).error.details).toMatchObject({
      version: 1,
      near: [{ field: 'edits[0].quote', text: TEXT.slice(24, 104) }],
    });
  });

  it.each<[string, object, [string, string][]]>([
    ['nothing', {}, [['edits', 'required field missing: send edits, content, title or metadata']]],
    ['edits and content', { edits: [{ quote: 'a', replacement: '' }], content: 'b' }, [['edits', 'cannot be combined with content; send one of them']]],
    ['no edit', { edits: [] }, [['edits', 'must be an array of 1 to 1000 objects']]],
    ['a quote and a range', { edits: [{ quote: 'a', start: 1, end: 2, replacement: '' }] }, [['edits[0]', 'must have either quote, or start and end']]],
    ['no replacement', { edits: [{ quote: 'a' }] }, [['edits[0].replacement', 'must be a string']]],
    ['an empty quote', { edits: [{ quote: '', replacement: 'a' }] }, [['edits[0].quote', 'must be a string that is not empty']]],
    ['half a character', { edits: [{ start: 1, end: 1, replacement: 'a' }] }, [['edits[0].start', 'is inside a character (a surrogate pair)']]],
    ['a version to come', { content: 'a', baseVersion: 9 }, [['baseVersion', 'must not be greater than the current version, 1']]],
    ['too many tags', { metadata: { tags: 'a' } }, [['metadata.tags', 'must be an array of strings']]],
    ['too long replacements', { edits: [{ start: 0, end: 0, replacement: 'a'.repeat(262_145) }] }, [['edits', 'must have at most 262144 UTF-16 units in all replacements; it has 262145']]],
    ['a too long text', { content: 'a'.repeat(262_146) }, [['content', 'must have at most 262144 UTF-16 units in all replacements; it has 262146']]],
    ['too many changes', { edits: [{ quote: '🙂', replacement: 'a' }], metadata: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`m${String(n)}`, n])) }, [['edits', 'makes 1001 changes, including title and metadata; a proposal can have 1000. Send a part of them']]],
    ['too many members', { metadata: Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`m${String(n)}`, n])) }, [['metadata', 'makes 1001 changes, including title and metadata; a proposal can have 1000. Send a part of them']]],
    ['a message of an edit that is too long', { edits: [{ quote: '🙂', replacement: 'a', message: '🙂'.repeat(1_001) }] }, [['edits[0].message', 'must be a string of at most 1000 characters']]],
  ])('The edits of a proposal are refused with %s', async (_, body, problems) => {
    const { api } = await account();
    const id = await newDocument(api, '🙂');
    expect(await bodyFails(api, id, body)).toEqual(problems);
  }); // prettier-ignore
});

describe('The texts of a proposal', () => {
  it('The texts of a proposal are refused if the content would be too large, and messages can have 1,000 characters', async () => {
    const { api } = await account();
    const id = await newDocument(api, `End.${'a'.repeat(1_048_570)}`);
    const edit = { quote: 'End.', replacement: 'Ending.', message: '🙂'.repeat(1_000) };
    expect(await bodyFails(api, id, { edits: [edit] })).toEqual([
      ['edits', 'makes the content larger than 1048576 bytes of UTF-8: 1048577'],
    ]);
    await proposed(api, id, { edits: [{ ...edit, replacement: 'Finis.' }] });
  });
});

describe('The title and metadata', () => {
  it('The title and metadata are proposed as field changes, exactly as sent', async () => {
    const { api } = await account();
    const id = await newDocument(api, TEXT, {
      metadata: { tags: ['a'], department: 'Sales', n: 1 },
    });
    const made = await proposed(api, id, {
      title: 'New title',
      metadata: { department: 'Finance', n: null, more: { deep: 1 } },
      edits: [{ quote: 'better', replacement: 'best' }],
    });
    expect(made.fieldChanges.map(({ field, from, to }) => [field, from, to])).toEqual([
      ['title', 'Text', 'New title'],
      ['metadata.department', 'Sales', 'Finance'],
      ['metadata.n', 1, null],
      ['metadata.more', null, { deep: 1 }],
    ]);
    expect(made.suggestionCounts).toMatchObject({ open: 5 });
    await api.patchDocument(id, { metadata: { department: 'Support' } });
    const applied = await api.applySuggestions(id, made.id, { suggestionIds: 'all' });
    expect(expectSuccess(applied)).toMatchObject({
      status: 'partially_applied',
      documentVersion: 3,
      suggestionCounts: { accepted: 4, stale: 1 },
    });
    expect(await readDocument(api, id)).toMatchObject({
      title: 'New title',
      metadata: { tags: ['a'], department: 'Support', more: { deep: 1 } },
      content: TEXT.replace('better', 'best'),
      version: 3,
    });
    expect(await eventsOf(api, 'proposal.decided')).toMatchObject([{ accepted: 4, stale: 1 }]);
  });

  it('The title and metadata can be rejected, and the same change is not proposed again', async () => {
    const { api } = await account();
    const id = await newDocument(api, TEXT);
    const { id: proposal, fieldChanges } = await proposed(api, id, { title: 'Other' });
    const ids = fieldChanges.map((change) => change.id);
    const rejected = await api.rejectSuggestions(id, proposal, { suggestionIds: ids });
    expect(expectSuccess(rejected)).toMatchObject({ status: 'rejected' });
    const again = await propose(api, id, { title: 'Other' });
    expectFailure(again, 409, 'INVALID_REQUEST');
    expect(again.body).toMatchObject({ error: { details: { dropped: { rejected: 1 } } } });
    await proposed(api, id, { title: 'Another' });
  });
});

describe('A whole text', () => {
  it('A whole text is merged from its base version, or refused with both texts', async () => {
    const { api } = await account();
    const id = await newDocument(api, 'One.\n\nTwo.\n\nThree.\n');
    await api.patchDocument(id, { content: 'One!\n\nTwo.\n\nThree.\n' });
    const made = await proposed(api, id, {
      content: 'One.\n\nTwo.\n\nThree and four.\n',
      baseVersion: 1,
    });
    expect(made).toMatchObject({
      baseVersion: 1,
      textVersion: 2,
      preview: 'One!\n\nTwo.\n\nThree and four.\n',
    });
    const response = await propose(api, id, {
      content: 'Uno.\n\nTwo.\n\nThree.\n',
      baseVersion: 1,
    });
    expectFailure(response, 409, 'INVALID_REQUEST');
    expect(response.body).toMatchObject({
      error: { details: { version: 2, overlaps: [{ field: 'content' }] } },
    });
  });

  it('A whole text of 900 KB does not hold up other requests', async () => {
    const { api } = await account();
    const content = Array.from({ length: 12_000 }, (_, n) => `Line ${String(n)} has some words in it, and it says so in each of them.\n`).join('');
    const id = await newDocument(api, content);
    const changed = content.replaceAll(/Line (\d+)00 has/g, 'Row $100 has');
    const progress = { isDone: false };
    const made = propose(api, id, { content: changed }).finally(() => (progress.isDone = true));
    let answers = 0;
    while (!progress.isDone) {
      await api.readDocument('doc_00000000000000000000000000');
      answers += 1;
    }
    const proposal = expectSuccess(await made, 201) as Proposal;
    expect(proposal.suggestions).toHaveLength(119);
    expect(proposal.preview).toBe(changed);
    expect(answers).toBeGreaterThan(3);
  }); // prettier-ignore
});
