import type { CurrentAccount } from '../../api/session.js';
import { isInNavigation, navigationFor } from '../navigation.js';
import type { PaletteItem } from './palette-item.js';

/** `scope`: scope that the action requires. `page`: page on which it runs. */
const ACTIONS = [
  {
    name: 'New document',
    href: 'documents/new',
    icon: 'add',
    page: '/{-$accountId}/documents',
    scope: 'documents:write',
  },
  {
    name: 'Import documents',
    href: 'documents?dialog=import',
    icon: 'upload',
    page: '/{-$accountId}/documents',
    scope: 'documents:write',
  },
  {
    name: 'New template',
    href: 'templates?dialog=new-template',
    icon: 'add',
    page: '/{-$accountId}/templates',
    scope: 'templates:write',
  },
  {
    name: 'Create key',
    href: 'keys?dialog=create-key',
    icon: 'add',
    page: '/{-$accountId}/keys',
    scope: 'keys:write',
  },
  {
    name: 'Create webhook',
    href: 'webhooks?dialog=create-webhook',
    icon: 'add',
    page: '/{-$accountId}/webhooks',
    scope: 'webhooks:write',
  },
  {
    name: 'Show failed requests',
    href: 'requests?status=5xx',
    icon: 'alert',
    page: '/{-$accountId}/requests',
    scope: 'usage:read',
  },
] as const;

/** Returns the pages and actions whose names contain all words; all of them if there are none. */
export function pagesAndActions(
  text: string,
  account: CurrentAccount,
  publishes = false,
): PaletteItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const pages = [
    ...navigationFor(account, publishes).flatMap((group) =>
      group.pages.map(({ to, name, icon }) => ({
        name,
        icon,
        href: to.slice(to.lastIndexOf('/') + 1),
      })),
    ),
    { name: 'Profile', icon: 'person', href: '/profile' } as const,
  ];
  const actions = ACTIONS.filter(
    ({ scope, page }) => account.may(scope) && isInNavigation(account, page),
  );
  const items = [
    ...pages.map((page) => ({ group: 'Pages', ...page })),
    ...actions.map((action) => ({ group: 'Actions', ...action })),
  ];
  return items
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .map(({ group, icon, name, href }) => ({ id: href, group, icon, name, href }));
}
