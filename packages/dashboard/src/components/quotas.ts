import type { components } from '../api/v1-schema.js';
import { formatBytes, formatCount } from './numbers.js';

export type Quota = keyof components['schemas']['Quotas'];

/** Names of the quotas, in the order in which pages show them. */
export const QUOTA_NAMES: Readonly<Record<Quota, string>> = {
  documents: 'Documents',
  storageBytes: 'Storage',
  webhooks: 'Webhooks',
  keys: 'Active keys',
  members: 'Members',
  analysesPerDay: 'Analyses per day',
  modelTokensPerDay: 'Model tokens per day',
  checkCharactersPerDay: 'Characters checked in editors per day',
};

export const QUOTAS = Object.keys(QUOTA_NAMES) as Quota[];

export function formatQuota(quota: Quota, amount: number): string {
  return quota === 'storageBytes' ? formatBytes(amount) : formatCount(amount);
}
