import { bodyOf } from '../../api/client.js';
import type { CurrentAccount } from '../../api/session.js';
import type { PaletteItem } from './palette-item.js';

/** An ID: its prefix, and a UUIDv7 in 26 characters of base32 (TypeID). */
const ID = /^([a-z]{2,5})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Name and page for the IDs of each prefix. */
const PLACES: Partial<Record<string, readonly [kind: string, hrefOf: (id: string) => string]>> = {
  doc: ['Document', (id) => `documents/${id}`],
  key: ['API key', (id) => `keys?open=${id}`],
  wh: ['Webhook', (id) => `webhooks/${id}`],
  evt: ['Event', (id) => `events?open=${id}`],
  req: ['Request', (id) => `requests/${id}`],
  job: ['Job', (id) => `jobs?open=${id}`],
  tmpl: ['Template', (id) => `templates/${id}`],
  aud: ['Audit log', (id) => `audit?open=${id}`],
  user: ['Member', (id) => `members?open=${id}`],
  inv: ['Invitation', () => 'members'],
  acct: ['Account', (id) => `/${id}/overview`],
  ses: ['Session', () => '/profile'],
  rcv: ['Test receiver', () => 'webhooks'],
};

/** Returns the prefix of a text that is a complete ID. */
export function prefixOf(text: string): string | undefined {
  return ID.exec(text)?.[1];
}

/** Returns the page of a pasted ID; undefined if there is none. Asks the service for deliveries. */
export async function itemOf(id: string, account: CurrentAccount): Promise<PaletteItem | null> {
  const prefix = prefixOf(id) ?? '';
  const place = PLACES[prefix];
  if (place) return { id, kind: place[0], name: id, href: place[1](id) };
  return prefix === 'dlv' ? delivery(id, account) : null;
}

/** Finds a delivery, whose page is below that of its webhook. */
async function delivery(id: string, { api }: CurrentAccount): Promise<PaletteItem | null> {
  const query = { deliveryId: id, limit: 1 };
  const { data } = await bodyOf(api.GET('/v1/deliveries', { params: { query } }));
  const webhookId = data[0]?.webhookId;
  if (webhookId === undefined) return null;
  return { id, name: id, kind: 'Delivery', href: `webhooks/${webhookId}/deliveries/${id}` };
}
