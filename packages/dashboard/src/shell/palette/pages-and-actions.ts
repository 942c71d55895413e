import type { CurrentAccount } from '../../api/session.js';
import { NAVIGATION } from '../navigation.js';
import type { PaletteItem } from './palette-item.js';

/** Scope that it requires. */
const ACTIONS = [
  { name: 'Create key', href: 'keys?dialog=create-key', scope: 'keys:write' },
  { name: 'New document', href: 'documents/new', scope: 'documents:write' },
  { name: 'Import documents', href: 'documents?dialog=import', scope: 'documents:write' },
  { name: 'Create webhook', href: 'webhooks?dialog=create-webhook', scope: 'webhooks:write' },
  { name: 'New template', href: 'templates?dialog=new-template', scope: 'templates:write' },
  { name: 'Show failed requests', href: 'requests?status=5xx', scope: 'usage:read' },
] as const;

/** Returns the pages and actions whose names contain all words; all of them if there are none. */
export function pagesAndActions(text: string, { may }: CurrentAccount): PaletteItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const pages = [
    ...NAVIGATION.map(({ to, name }) => ({ name, href: to.slice(to.lastIndexOf('/') + 1) })),
    { name: 'Profile', href: '/profile' },
  ];
  const items = [
    ...pages.map((page) => ({ kind: 'Page', ...page })),
    ...ACTIONS.filter(({ scope }) => may(scope)).map((action) => ({ kind: 'Action', ...action })),
  ];
  return items
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .map(({ kind, name, href }) => ({ id: href, kind, name, href }));
}
