import type { components } from '../../packages/dashboard/src/api/v1-schema.js';
import { curlCommand } from '../../packages/dashboard/src/api/curl.js';
import { allPages } from '../../packages/dashboard/src/api/all-pages.js';
import {
  concernsOfKeys,
  concernsOfWebhooks,
} from '../../packages/dashboard/src/pages/overview/attention.js';
import { addressesOf, keyState } from '../../packages/dashboard/src/pages/keys/key-state.js';
import {
  meaningOf,
  presetOf,
  SCOPE_GROUPS,
  SCOPE_PRESETS,
} from '../../packages/dashboard/src/pages/keys/scope-groups.js';
import { SCOPES } from '../../src/features/auth/scopes.js';

type ApiKey = components['schemas']['ApiKey'];
type Webhook = components['schemas']['Webhook'];

const NOW = new Date('2026-11-22T12:00:00.000Z');
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS).toISOString();

const KEY: ApiKey = {
  id: 'key_1',
  name: 'CI',
  lastFour: 'abcd',
  scopes: ['*'],
  allowedIps: [],
  limits: { minute: null, hour: null, day: null },
  collections: null,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: inDays(-1),
  createdAt: inDays(-200),
  createdBy: { id: 'user_1', name: 'Ada', email: 'ada@example.com' },
  owner: { id: 'user_1', name: 'Ada', kind: 'person' },
  client: null,
};

describe('An item that needs attention', () => {
  const textOf = (changes: Partial<ApiKey>) =>
    concernsOfKeys([{ ...KEY, ...changes }], NOW).map(({ text }) => text);

  it('An item that needs attention is a key that expires within 14 days, but not one that has expired', () => {
    expect(textOf({})).toEqual([]);
    expect(textOf({ expiresAt: inDays(14.5) })).toEqual([]);
    expect(textOf({ expiresAt: inDays(13.5) })).toEqual(['expires in 14 days']);
    expect(textOf({ expiresAt: inDays(0.2) })).toEqual(['expires within a day']);
    expect(textOf({ expiresAt: inDays(-1) })).toEqual([]);
    expect(textOf({ expiresAt: inDays(2), revokedAt: inDays(-1) })).toEqual([]);
  });

  it('An item that needs attention is no key that was created to last at most a day, such as that of “Try it”', () => {
    const createdAt = inDays(-0.02);
    expect(textOf({ createdAt, lastUsedAt: null, expiresAt: inDays(0.02) })).toEqual([]);
    expect(textOf({ createdAt, lastUsedAt: null, expiresAt: inDays(7) })).toHaveLength(1);
  });

  it('An item that needs attention is a key unused for 90 days, counted from its creation if it was never used', () => {
    expect(textOf({ lastUsedAt: inDays(-89) })).toEqual([]);
    expect(textOf({ lastUsedAt: inDays(-91) })).toEqual(["hasn't been used for 91 days"]);
    expect(textOf({ lastUsedAt: null })).toEqual(["hasn't been used for 200 days"]);
    expect(textOf({ lastUsedAt: null, createdAt: inDays(-1) })).toEqual([]);
  });

  it('An item that needs attention is a webhook that is disabled, is failing or has failed deliveries', () => {
    const webhook: Webhook = {
      id: 'wh_1',
      url: 'https://a.example',
      events: ['*'],
      payload: 'full',
      status: 'active',
      description: null,
      headers: {},
      filter: null,
      secretPreview: 'abcd',
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      nextProbeAt: null,
      lastDeliveryAt: null,
      createdAt: inDays(-5),
      updatedAt: inDays(-5),
    };
    const webhooks: Webhook[] = [
      webhook,
      { ...webhook, id: 'wh_2' },
      { ...webhook, id: 'wh_3', status: 'disabled', disabledReason: 'It answered 410.' },
      { ...webhook, id: 'wh_4', failingSince: inDays(-2) },
    ];
    const refused = { class: 'status', message: 'answered 500' };
    const concerns = concernsOfWebhooks(webhooks, [
      { webhookId: 'wh_1', status: 'failed', lastError: refused },
      { webhookId: 'wh_1', status: 'pending', lastError: refused },
      { webhookId: 'wh_2', status: 'pending', lastError: null },
    ]);
    expect(concerns.map(({ id, text }) => [id, text])).toEqual([
      ['wh_1', 'has 2 failed deliveries in the last 24 hours'],
      ['wh_3', 'is disabled: It answered 410.'],
      ['wh_4', 'is failing'],
    ]);
  });
});

describe('A key in the dashboard', () => {
  it('A key in the dashboard is active until it expires or is revoked', () => {
    expect(keyState(KEY, NOW)).toBe('active');
    expect(keyState({ ...KEY, expiresAt: inDays(1) }, NOW)).toBe('active');
    expect(keyState({ ...KEY, expiresAt: inDays(-1) }, NOW)).toBe('expired');
    expect(keyState({ ...KEY, revokedAt: inDays(-1) }, NOW)).toBe('revoked');
    expect(keyState({ ...KEY, revokedAt: inDays(0.001) }, NOW)).toBe('revoked');
  });

  it('A key in the dashboard can get every scope, each in one group with a description', () => {
    const offered = SCOPE_GROUPS.flatMap(([, scopes]) => scopes);
    expect([...offered].sort()).toEqual([...SCOPES].sort());
    for (const scope of SCOPES) expect(meaningOf(scope)).not.toMatch(/^$|`/);
  });

  it('A key in the dashboard shows the preset that matches exactly', () => {
    for (const [name, scopes] of SCOPE_PRESETS) expect(presetOf(scopes)).toBe(name);
    expect(presetOf(['documents:read'])).toBeUndefined();
    expect(presetOf([])).toBeUndefined();
  });

  it('A key in the dashboard accepts addresses separated by lines, spaces or commas', () => {
    expect(addressesOf(' 192.0.2.7,\n2001:db8::/32  10.0.0.0/8 ')).toEqual([
      '192.0.2.7',
      '2001:db8::/32',
      '10.0.0.0/8',
    ]);
    expect(addressesOf(' \n')).toEqual([]);
  });
});

it('A curl command of the dashboard runs unchanged, whatever is in the URL and the body', () => {
  expect(curlCommand({ url: "https://a.example/v1/documents?q=it's $HOME" })).toBe(
    `curl 'https://a.example/v1/documents?q=it'\\''s $HOME' \\\n  -H "Authorization: Bearer $API_KEY"`,
  );
  expect(curlCommand({ method: 'POST', url: 'https://a.example', key: 'k', body: '{}' })).toBe(
    `curl -X POST 'https://a.example' \\\n  -H 'Authorization: Bearer k' \\\n  -H 'Content-Type: application/json' \\\n  -d '{}'`,
  );
  expect(curlCommand({ method: 'HEAD', url: 'https://a.example' })).toContain('curl --head ');
});

describe('A complete list', () => {
  const page = (data: number[], nextCursor: string | null) =>
    Promise.resolve({ data, meta: { pagination: { nextCursor, total: 5 } } });

  it('A complete list is read page by page, and no further than requested', async () => {
    const pages: Record<string, Promise<Awaited<ReturnType<typeof page>>>> = {
      '': page([1, 2], 'b'),
      b: page([3, 4], 'c'),
      c: page([5], null),
    };
    const read = (cursor: string | undefined) => pages[cursor ?? ''] ?? page([], null);
    const progress: number[] = [];
    const onProgress = (count: number) => progress.push(count);
    expect(await allPages(read, { most: 100, onProgress })).toEqual([1, 2, 3, 4, 5]);
    expect(progress).toEqual([2, 4, 5]);
    expect(await allPages(read, { most: 3 })).toEqual([1, 2, 3]);
  });
});
