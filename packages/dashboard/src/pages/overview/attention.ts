import type { components } from '../../api/v1-schema.js';
import { webhookName } from '../webhooks/webhook-name.js';

type ApiKey = components['schemas']['ApiKey'];
type Webhook = components['schemas']['Webhook'];
type Delivery = components['schemas']['Delivery'];

const DAY_MS = 86_400_000;
/** Keys that expire sooner are reported. */
const EXPIRES_WITHIN_DAYS = 14;
/** Keys that last no longer, such as those of “Try it”, are meant to expire soon. */
const SHORT_LIVED_DAYS = 1;
/** Days without use after which a key is reported. */
const UNUSED_FOR_DAYS = 90;

/** An item that needs attention. */
export interface Concern {
  about: 'webhook' | 'key';
  /** ID of the webhook or key. */
  id: string;
  name: string;
  /** `danger` means that something has stopped. */
  severity: 'danger' | 'warning';
  /** The problem, as the end of a sentence that starts with the name; no full stop. */
  text: string;
}

/** Returns webhooks that are disabled, are failing, or have recent failed or retried deliveries. */
export function concernsOfWebhooks(
  webhooks: readonly Webhook[],
  recent: readonly Pick<Delivery, 'webhookId' | 'status' | 'lastError'>[],
): Concern[] {
  const failing = recent.filter(
    ({ status, lastError }) => status === 'failed' || (status === 'pending' && lastError !== null),
  );
  const failures = new Map<string, number>();
  for (const { webhookId } of failing) {
    failures.set(webhookId, (failures.get(webhookId) ?? 0) + 1);
  }
  return webhooks.flatMap((webhook) => {
    const { id, status, disabledReason, failingSince } = webhook;
    const concern = { about: 'webhook', id, name: webhookName(webhook) } as const;
    if (status === 'disabled') {
      return {
        ...concern,
        severity: 'danger',
        text:
          disabledReason === null ? 'was disabled by a member' : `is disabled: ${disabledReason}`,
      };
    }
    const failed = failures.get(id) ?? 0;
    if (failed === 0) {
      return failingSince === null ? [] : { ...concern, severity: 'warning', text: 'is failing' };
    }
    const failedDeliveries =
      failed === 1 ? '1 failed delivery' : `${String(failed)} failed deliveries`;
    return {
      ...concern,
      severity: 'warning',
      text: `has ${failedDeliveries} in the last 24 hours`,
    };
  });
}

/** Returns active keys that expire soon or are unused. */
export function concernsOfKeys(keys: readonly ApiKey[], now: Date): Concern[] {
  return keys.flatMap(({ id, name, expiresAt, revokedAt, lastUsedAt, createdAt }) => {
    const concern = { about: 'key', id, name, severity: 'warning' } as const;
    const daysLeft =
      expiresAt === null ? Infinity : (Date.parse(expiresAt) - now.getTime()) / DAY_MS;
    const lifetimeDays =
      expiresAt === null ? Infinity : (Date.parse(expiresAt) - Date.parse(createdAt)) / DAY_MS;
    if (revokedAt !== null || daysLeft <= 0 || lifetimeDays <= SHORT_LIVED_DAYS) return [];
    if (daysLeft <= EXPIRES_WITHIN_DAYS) {
      const days = Math.ceil(daysLeft);
      return {
        ...concern,
        text: days === 1 ? 'expires within a day' : `expires in ${String(days)} days`,
      };
    }
    const idleDays = (now.getTime() - Date.parse(lastUsedAt ?? createdAt)) / DAY_MS;
    if (idleDays < UNUSED_FOR_DAYS) return [];
    return {
      ...concern,
      severity: 'warning',
      text: `hasn't been used for ${String(Math.floor(idleDays))} days`,
    };
  });
}
