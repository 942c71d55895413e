import type { Webhook } from './webhook-queries.js';

/** Returns the host and path of a URL. */
export function hostAndPath(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** Returns the description of a webhook, or its URL if it has none. */
export function webhookName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description === null || description.trim() === '' ? hostAndPath(url) : description;
}
