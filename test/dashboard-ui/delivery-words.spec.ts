import type { components } from '../../packages/dashboard/src/api/v1-schema.js';
import { countOf, nounOf } from '../../packages/dashboard/src/components/numbers.js';
import {
  nextAttemptOf,
  outcomeOf,
  shortOutcomeOf,
  stateOf,
} from '../../packages/dashboard/src/pages/webhooks/delivery-words.js';

type Delivery = components['schemas']['DeliveryWithAttempts'];
type Attempt = components['schemas']['Attempt'];

const NOW = new Date('2026-11-27T12:00:00.000Z');
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000).toISOString();

const ATTEMPT: Attempt = {
  number: 1,
  startedAt: inSeconds(-60),
  durationMs: 12,
  requestHeaders: {},
  responseStatus: 500,
  responseHeaders: null,
  responseBody: null,
  error: null,
};
const QUEUED: Delivery = {
  id: 'dlv_1',
  webhookId: 'wh_1',
  eventId: 'evt_1',
  eventType: 'document.created',
  status: 'pending',
  attemptCount: 0,
  maxAttempts: 10,
  nextAttemptAt: inSeconds(-60),
  lastResponseStatus: null,
  lastError: null,
  createdAt: inSeconds(-60),
  completedAt: null,
  requestBody: null,
  requestBodyTruncated: false,
  attempts: [],
};
const RETRIED: Delivery = {
  ...QUEUED,
  attemptCount: 1,
  lastResponseStatus: 500,
  attempts: [ATTEMPT],
};
const ACTIVE = { status: 'active', nextProbeAt: null } as const;
const PAUSED = { status: 'active', nextProbeAt: inSeconds(240) } as const;
const DISABLED = { status: 'disabled', nextProbeAt: null } as const;

describe('the words about a delivery', () => {
  it.each([
    [
      'that was just created',
      { ...QUEUED, createdAt: inSeconds(-1) },
      ACTIVE,
      'pending',
      'Sending',
    ],
    ['that waits for others', QUEUED, ACTIVE, 'pending', 'Queued'],
    ['of a paused webhook', QUEUED, PAUSED, 'paused', 'Not sent yet'],
    ['of a paused webhook that was tried', RETRIED, PAUSED, 'paused', 'Returned 500'],
    ['of a disabled webhook', QUEUED, DISABLED, 'paused', 'Not sent yet'],
    ['that is retried', RETRIED, ACTIVE, 'pending', 'Returned 500'],
    ['that was given up', { ...RETRIED, status: 'failed' }, PAUSED, 'failed', 'Returned 500'],
    ['that was cancelled', { ...QUEUED, status: 'cancelled' }, DISABLED, 'cancelled', 'Not sent'],
  ] as const)(
    'the words about a delivery name its state and outcome in a list: one %s',
    (_, delivery, webhook, state, words) => {
      expect(stateOf(delivery, webhook)).toBe(state);
      expect(shortOutcomeOf(delivery, webhook, NOW)).toBe(words);
    },
  );

  it.each([
    [QUEUED, ACTIVE, 'Queued'],
    [{ ...QUEUED, createdAt: inSeconds(-1) }, ACTIVE, 'Sending'],
    [QUEUED, PAUSED, 'Paused, because the receiver is failing; next attempt 12:04'],
    [
      RETRIED,
      PAUSED,
      'Returned 500 after 12 ms; paused, because the receiver is failing; next attempt 12:04',
    ],
    [
      RETRIED,
      { ...PAUSED, nextProbeAt: inSeconds(-1) },
      'Returned 500 after 12 ms; paused, because the receiver is failing; next attempt in a moment',
    ],
    [QUEUED, DISABLED, 'The webhook is disabled'],
    [RETRIED, ACTIVE, 'Returned 500 after 12 ms; retrying now, attempt 2 of 10'],
    [
      { ...RETRIED, nextAttemptAt: inSeconds(60) },
      ACTIVE,
      'Returned 500 after 12 ms; next attempt 12:01, attempt 2 of 10',
    ],
    [QUEUED, undefined, 'Queued'],
  ] as const)('the words about a delivery say what happens next', (delivery, webhook, words) => {
    const inZone = (text: string) => text.replace(/\d\d:(\d\d)/, '12:$1');
    expect(inZone(outcomeOf(delivery as Delivery, webhook, NOW))).toBe(words);
  });

  it('the words about a delivery give the time of the next attempt only if it is in the future', () => {
    const times = [
      nextAttemptOf(RETRIED, ACTIVE, NOW),
      nextAttemptOf(RETRIED, PAUSED, NOW),
      nextAttemptOf({ nextAttemptAt: inSeconds(300) }, PAUSED, NOW),
      nextAttemptOf({ nextAttemptAt: null }, PAUSED, NOW),
    ];
    expect(times.map((time) => time?.toISOString())).toEqual([
      undefined,
      inSeconds(240),
      inSeconds(300),
      undefined,
    ]);
  });

  it('the words about a delivery have the noun of their number', () => {
    expect([0, 1, 2].map((count) => nounOf(count, 'attempt'))).toEqual([
      'attempts',
      'attempt',
      'attempts',
    ]);
    expect(countOf(1, 'delivery', 'deliveries')).toBe('1 delivery');
  });
});
