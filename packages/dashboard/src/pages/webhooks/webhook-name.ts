import type { Webhook } from './webhook-queries.js';

/** Characters of an address in a list. */
const LONGEST = 48;

/** Returns the host and path of a URL, without what all of them begin with. */
export function hostAndPath(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/** Shortens a text in the middle, because addresses differ at both ends. */
export function middleEllipsis(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text;
  const end = Math.floor((longest - 1) / 2);
  return `${text.slice(0, longest - 1 - end)}…${text.slice(-end)}`;
}

/** The description is the name of a webhook that has one. */
export function webhookName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  return description === null || description.trim() === ''
    ? middleEllipsis(hostAndPath(url))
    : description;
}
