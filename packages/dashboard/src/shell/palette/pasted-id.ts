import { bodyOf } from '../../api/client.js';
import type { CurrentAccount } from '../../api/session.js';
import type { IconName } from '../../components/icons.js';
import type { PaletteItem } from './palette-item.js';

/** An ID: its prefix, and a UUIDv7 in 26 characters of base32 (TypeID). */
const ID = /^([a-z]{2,5})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

type Place = readonly [kind: string, icon: IconName, hrefOf: (id: string) => string];

/** Name, icon and page for the IDs of each prefix. */
const PLACES: Partial<Record<string, Place>> = {
  doc: ['Document', 'documents', (id) => `documents/${id}`],
  key: ['API key', 'keys', (id) => `keys?open=${id}`],
  wh: ['Webhook', 'webhooks', (id) => `webhooks/${id}`],
  evt: ['Event', 'events', (id) => `events?open=${id}`],
  req: ['Request', 'requests', (id) => `requests/${id}`],
  job: ['Job', 'jobs', (id) => `jobs?open=${id}`],
  rel: ['Release', 'history', (id) => `releases?open=${id}`],
  tmpl: ['Template', 'templates', (id) => `templates/${id}`],
  aud: ['Audit log', 'audit', (id) => `audit?open=${id}`],
  user: ['Member', 'members', (id) => `members?open=${id}`],
  inv: ['Invitation', 'members', () => 'members'],
  acct: ['Account', 'overview', (id) => `/${id}`],
  ses: ['Session', 'person', () => '/profile'],
  rcv: ['Test receiver', 'webhooks', () => 'webhooks'],
};

/** Returns the prefix of a text that is a complete ID. */
export function prefixOf(text: string): string | undefined {
  return ID.exec(text)?.[1];
}

/** Returns the page of a pasted ID; undefined if there is none. Asks the service for deliveries. */
export async function itemOf(id: string, account: CurrentAccount): Promise<PaletteItem | null> {
  const prefix = prefixOf(id) ?? '';
  const place = PLACES[prefix];
  if (place) {
    const [group, icon, hrefOf] = place;
    return { id, group, icon, name: id, href: hrefOf(id) };
  }
  return prefix === 'dlv' ? delivery(id, account) : null;
}

/** Finds a delivery, whose page is below that of its webhook. */
async function delivery(id: string, { api }: CurrentAccount): Promise<PaletteItem | null> {
  const query = { deliveryId: id, limit: 1 };
  const { data } = await bodyOf(api.GET('/v1/deliveries', { params: { query } }));
  const webhookId = data[0]?.webhookId;
  if (webhookId === undefined) return null;
  const href = `webhooks/${webhookId}/deliveries/${id}`;
  return { id, name: id, group: 'Delivery', icon: 'webhooks', href };
}
