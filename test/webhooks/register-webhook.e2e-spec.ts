import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const SECRET = 'correct horse battery staple';
const VALID = { url: 'https://example.com/webhooks', events: ['document.created'], secret: SECRET };

interface Problem {
  field: string;
  issue: string;
}

describe('registering a webhook', () => {
  it('registering a webhook returns 201 with the record, its location, and only four characters of the secret', async () => {
    const { api } = await app.account();
    const response = await api.registerWebhook({
      ...VALID,
      events: ['document.*', 'webhook.disabled'],
      payload: 'thin',
      description: 'Search index',
    });
    const webhook = expectSuccess(response, 201) as { id: string };
    const now = app.clock.now().toISOString();
    expect(webhook).toEqual({
      id: expect.stringMatching(/^wh_[0-7][0-9a-hjkmnp-tv-z]{25}$/) as string,
      url: 'https://example.com/webhooks',
      events: ['document.*', 'webhook.disabled'],
      payload: 'thin',
      status: 'active',
      description: 'Search index',
      secretPreview: 'aple',
      headers: {},
      filter: null,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      nextProbeAt: null,
      lastDeliveryAt: null,
      createdAt: now,
      updatedAt: now,
    });
    expect(response.headers['location']).toBe(`/v1/webhooks/${webhook.id}`);
    expect(response.body.meta.warnings).toBeUndefined();
  });

  it('registering a webhook needs only a URL and events, and sends the whole resource by default', async () => {
    const { api } = await app.account();
    const webhook = expectSuccess(
      await api.registerWebhook({ url: VALID.url, events: ['*'] }),
      201,
    );
    expect(webhook).toMatchObject({ payload: 'full', description: null });
  });

  it('registering a webhook generates a secret if none is sent, and shows it only this once', async () => {
    const { api } = await app.account();
    const response = await api.registerWebhook({ url: VALID.url, events: ['*'] });
    const { id, secret, secretPreview } = expectSuccess(response, 201) as Record<string, string>;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(secretPreview).toBe(secret?.slice(-4));
    const read = await api.readWebhook(id ?? '');
    expect(read.body.data).not.toHaveProperty('secret');
    expect(read.text).not.toContain(secret?.slice(6));
    expect((await api.listWebhooks()).text).not.toContain(secret?.slice(6));
  });

  it('registering a webhook stores the URL exactly as sent', async () => {
    const { api } = await app.account();
    const url = 'HTTPS://Example.COM:443/a/../b?q=ü%20';
    const response = await api.registerWebhook({ ...VALID, url });
    expect(response.body.data.url).toBe(url);
  });

  it('registering a webhook warns about a guessable secret, and about an event named twice', async () => {
    const { api } = await app.account();
    const response = await api.registerWebhook({
      ...VALID,
      events: ['document.created', 'document.updated', 'document.created'],
      secret: 'hunter2',
    });
    expectSuccess(response, 201);
    expect(response.body.data.events).toEqual(['document.created', 'document.updated']);
    expect(response.body.meta.warnings).toEqual([
      { field: 'secret', issue: expect.stringMatching(/at least 24 random characters/) as string },
      { field: 'events[2]', issue: 'repeats events[0]; it is stored once' },
    ]);
    expect(response.text).not.toContain('hunter2');
  });

  it('registering a webhook warns about a subscription to nothing but tests', async () => {
    const { api } = await app.account();
    const warned = await api.registerWebhook({
      ...VALID,
      events: ['webhook.test', 'webhook.test'],
    });
    expectSuccess(warned, 201);
    expect(warned.body.meta.warnings).toEqual([
      { field: 'events[1]', issue: 'repeats events[0]; it is stored once' },
      { field: 'events', issue: expect.stringContaining('select nothing but tests') as string },
    ]);
    for (const events of [['webhook.*'], ['webhook.test', 'document.created'], ['*']]) {
      const url = `https://${events[0]?.replace(/\W/g, '') ?? ''}x.example.com/`;
      const other = await api.registerWebhook({ ...VALID, url, events });
      expect([events, other.body.meta.warnings]).toEqual([events, undefined]);
    }
  });

  it.each([
    ['the same events', {}, {}, /document\.created/],
    ['a pattern', { events: ['document.*'] }, {}, /document\.created/],
    ['everything', { events: ['document.updated'] }, { events: ['*'] }, /document\.updated/],
    [
      'many events',
      { events: ['*'] },
      { events: ['*'] },
      /document\.created, document\.updated and 19 more/,
    ],
    [
      'webhook events',
      { events: ['webhook.disabled'] },
      { events: ['webhook.*'] },
      /webhook\.disabled/,
    ],
    ['another spelling of the host', {}, { url: 'https://EXAMPLE.com./webhooks' }, /document/],
    ['the default port', {}, { url: 'HTTPS://example.com:443/webhooks' }, /document/],
    [
      'a root with and without a slash',
      { url: 'https://example.com' },
      { url: 'https://example.com/' },
      /document/,
    ],
    ['an unnormalized path', {}, { url: 'https://example.com/a/../webhooks' }, /document/],
    ['one filter', { filter: { types: ['report'] } }, {}, /document/],
    ['filters that overlap', { filter: { tags: ['a'] } }, { filter: { tags: ['b'] } }, /document/],
  ])(
    'registering a webhook warns if another webhook sends its events to the same URL: %s',
    async (_, one, other, names) => {
      const { api } = await app.account();
      const plain = { ...VALID, events: ['document.created'] };
      const first = await api.registerWebhook({ ...plain, ...one });
      expect(first.body.meta.warnings).toBeUndefined();
      const second = await api.registerWebhook({ ...plain, ...other });
      expectSuccess(second, 201);
      expect(second.body.meta.warnings).toEqual([
        { field: 'url', issue: expect.stringContaining(String(first.body.data.id)) as string },
      ]);
      expect(second.body.meta.warnings[0].issue).toMatch(names);
    },
  );

  it.each([
    ['other events', {}, { events: ['document.updated'] }],
    [
      'tests, which only the tested webhook receives',
      { events: ['webhook.test', 'document.deleted'] },
      { events: ['webhook.test', 'document.updated'] },
    ],
    ['another path', {}, { url: 'https://example.com/webhooks/' }],
    ['another query', {}, { url: 'https://example.com/webhooks?a' }],
    ['another case of the path', {}, { url: 'https://example.com/Webhooks' }],
    ['another port', {}, { url: 'https://example.com:8443/webhooks' }],
    [
      'other types of documents',
      { filter: { types: ['report'] } },
      { filter: { types: ['article'] } },
    ],
    [
      'other projects',
      { filter: { projects: ['a'] } },
      { filter: { projects: ['b'], tags: ['c'] } },
    ],
  ])('registering a webhook does not warn about another webhook with %s', async (_, one, other) => {
    const { api } = await app.account();
    const plain = { ...VALID, events: ['document.created'] };
    await api.registerWebhook({ ...plain, ...one });
    const second = await api.registerWebhook({ ...plain, ...other });
    expect(second.body.meta.warnings).toBeUndefined();
  });

  it('registering a webhook does not warn about webhooks of other accounts, deleted or disabled ones', async () => {
    const { api: other } = await app.account();
    await other.registerWebhook(VALID);
    const { api } = await app.account();
    const deleted = await api.registerWebhook(VALID);
    expect(deleted.body.meta.warnings).toBeUndefined();
    await api.deleteWebhook(String(deleted.body.data.id));
    const disabled = await api.registerWebhook(VALID);
    await api.patchWebhook(String(disabled.body.data.id), { status: 'disabled' });
    const active = await api.registerWebhook(VALID);
    expect([disabled.body.meta.warnings, active.body.meta.warnings]).toEqual([
      undefined,
      undefined,
    ]);
    const enabled = await api.patchWebhook(String(disabled.body.data.id), { status: 'active' });
    expect(enabled.body.meta.warnings).toMatchObject([{ field: 'url' }]);
  });

  it('registering a webhook warns when a change makes two webhooks send the same events', async () => {
    const { api } = await app.account();
    await api.registerWebhook(VALID);
    const url = 'https://example.com/other';
    const { id } = expectSuccess(await api.registerWebhook({ ...VALID, url }), 201) as {
      id: string;
    };
    const change = async (patch: object) =>
      (await api.patchWebhook(id, patch)).body.meta.warnings as unknown;
    expect(await change({ description: 'x' })).toBeUndefined();
    expect(await change({ url: VALID.url })).toMatchObject([{ field: 'url' }]);
    // Nothing changes.
    expect(await change({ url: VALID.url })).toBeUndefined();
    expect(await change({ description: 'y' })).toBeUndefined();
    expect(await change({ events: ['document.enhanced'] })).toBeUndefined();
    expect(await change({ events: ['*', '*'] })).toMatchObject([
      { field: 'events[1]' },
      { field: 'url' },
    ]);
    expect(await change({ events: ['webhook.test'] })).toMatchObject([{ field: 'events' }]);
  });

  it('registering a webhook reports every problem of a body at once', async () => {
    const { api } = await app.account();
    const response = await api.registerWebhook({
      url: 'http://user:password@10.0.0.1/#x',
      events: ['document.created', 'document.create', 7],
      secret: 'whsec_not base64!',
      description: 'x'.repeat(501),
      payload: 'medium',
      event: [],
    });
    expectFailure(response, 400, 'INVALID_REQUEST');
    const problems = response.body.error.details.problems as Problem[];
    expect(problems.map(({ field }) => field)).toEqual([
      'url',
      'url',
      'url',
      'url',
      'events[1]',
      'events[2]',
      'secret',
      'description',
      'payload',
      'event',
    ]);
    expect(problems[4]?.issue).toMatch(/did you mean 'document\.created'\? known names are .*\*$/);
    expect(problems[9]?.issue).toBe("is not a known field; did you mean 'events'?");
    expect(response.text).not.toContain('password@');
  });

  it('registering a webhook says what an empty body lacks', async () => {
    const { api } = await app.account();
    const response = await api.registerWebhook({});
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details.problems).toEqual([
      { field: 'url', issue: 'required field missing' },
      { field: 'events', issue: 'required field missing' },
    ]);
  });

  it.each([
    ['url', { url: null }, 'required field missing'],
    ['url', { url: 7 }, 'must be a string'],
    ['url', { url: ['https://example.com'] }, 'must be a string'],
    [
      'url',
      { url: `https://example.com/${'x'.repeat(2029)}` },
      'must not be longer than 2048 characters',
    ],
    [
      'url',
      { url: 'http://example.com/' },
      'must begin with https://; plain http is not encrypted',
    ],
    ['events', { events: null }, 'required field missing'],
    [
      'events',
      { events: 'document.created' },
      'must be an array of event names, such as ["document.created"]',
    ],
    [
      'events',
      { events: { 0: '*' } },
      'must be an array of event names, such as ["document.created"]',
    ],
    ['events', { events: [] }, 'must not be empty; name an event, such as document.created'],
    ['events', { events: Array(51).fill('x') }, 'must not have more than 50 items'],
    ['secret', { secret: null }, 'must be a string; leave it out to get one'],
    ['secret', { secret: 12345678 }, 'must be a string; leave it out to get one'],
    ['secret', { secret: '' }, 'must have 1 to 256 characters; leave it out to get one'],
    [
      'secret',
      { secret: 'x'.repeat(257) },
      'must have 1 to 256 characters; leave it out to get one',
    ],
    [
      'secret',
      { secret: 'pässword' },
      'must hold only letters, digits, punctuation and spaces of ASCII (0x20 to 0x7e)',
    ],
    [
      'secret',
      { secret: 'tab\tand\nline' },
      'must hold only letters, digits, punctuation and spaces of ASCII (0x20 to 0x7e)',
    ],
    [
      'secret',
      { secret: 'whsec_' },
      'must have base64 of one byte or more after whsec_, with its padding; correct it, or use a secret without that prefix',
    ],
    ['description', { description: 7 }, 'must be a string or null'],
    ['payload', { payload: null }, 'must be full or thin'],
    ['status', { status: 'disabled' }, expect.stringMatching(/^is not a known field/) as string],
  ])('registering a webhook refuses %s given as %j', async (field, change, issue) => {
    const { api } = await app.account();
    const response = await api.registerWebhook({ ...VALID, ...change });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details.problems).toEqual([{ field, issue }]);
    expect((await api.listWebhooks()).body.data).toEqual([]);
  });

  it.each([
    ['an address of 2048 characters', { url: `https://example.com/${'x'.repeat(2028)}` }],
    ['a secret of 256 characters', { secret: 'x'.repeat(256) }],
    ['a secret of spaces and punctuation', { secret: ' ~!@#$%^&*()_+{}|:"<>?  ' }],
    ['a description of 500 characters, counted as people do', { description: '😀'.repeat(500) }],
    ['a description of null', { description: null }],
    ['a receiver on this machine, which development opens', { url: 'http://localhost:9000/hook' }],
  ])('registering a webhook accepts %s', async (_, change) => {
    const { api } = await app.account();
    expectSuccess(await api.registerWebhook({ ...VALID, ...change }), 201);
  });
});

const RECEIVER = { url: 'https://example.com/webhooks', events: ['document.created'] };

it('the number of webhooks is what the plan allows; deleting one allows another, and other accounts have their own limit', async () => {
  const { api } = await app.account({ plan: 'free' });
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const made = expectSuccess(await api.registerWebhook(RECEIVER), 201) as { id: string };
    ids.push(made.id);
  }
  const refused = await api.registerWebhook(RECEIVER);
  expectFailure(refused, 403, 'FORBIDDEN');
  expect(refused.body.error.message).toMatch(/allows 5 webhooks.*Delete one/);
  expect(refused.body.error.details).toEqual({
    quota: 'webhooks',
    limit: 5,
    used: 5,
    plan: 'free',
    requested: 1,
  });
  expectSuccess(await (await app.account()).api.registerWebhook(RECEIVER), 201);

  await api.deleteWebhook(ids[0] ?? '');
  expectSuccess(await api.registerWebhook(RECEIVER), 201);
});
