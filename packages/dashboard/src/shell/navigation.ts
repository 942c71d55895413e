import type { CurrentAccount, Scope } from '../api/session.js';
import type { IconName } from '../components/icons.js';

type PageName =
  | 'overview'
  | 'documents'
  | 'templates'
  | 'proposals'
  | 'releases'
  | 'keys'
  | 'webhooks'
  | 'events'
  | 'requests'
  | 'jobs'
  | 'members'
  | 'audit'
  | 'settings';
export type PagePath = `/{-$accountId}/${PageName}`;

/** A page of the account. Without a scope, every member may open it. */
interface NavigationPage {
  to: PagePath;
  name: string;
  icon: IconName;
  scope?: Scope;
  /** True if it exists only while publishing is on. */
  publishing?: true;
}

export interface NavigationGroup {
  /** Heading. The first group has none. */
  name?: string;
  /** Scope that the whole group requires. */
  scope?: Scope;
  pages: readonly NavigationPage[];
}

/** The pages of an account in the order of the navigation. */
const GROUPS: readonly NavigationGroup[] = [
  { pages: [{ to: '/{-$accountId}/overview', name: 'Overview', icon: 'overview' }] },
  {
    name: 'Write',
    pages: [
      {
        to: '/{-$accountId}/documents',
        name: 'Documents',
        icon: 'documents',
        scope: 'documents:read',
      },
      {
        to: '/{-$accountId}/templates',
        name: 'Templates',
        icon: 'templates',
        scope: 'templates:read',
      },
      {
        to: '/{-$accountId}/proposals',
        name: 'Proposals',
        icon: 'proposals',
        scope: 'documents:read',
      },
      {
        to: '/{-$accountId}/releases',
        name: 'Releases',
        icon: 'history',
        scope: 'documents:read',
        publishing: true,
      },
    ],
  },
  {
    name: 'Develop',
    // Viewers may read most of these pages, but there is nothing for them to do.
    scope: 'documents:write',
    pages: [
      { to: '/{-$accountId}/keys', name: 'API keys', icon: 'keys', scope: 'keys:read' },
      { to: '/{-$accountId}/webhooks', name: 'Webhooks', icon: 'webhooks', scope: 'webhooks:read' },
      { to: '/{-$accountId}/events', name: 'Events', icon: 'events', scope: 'events:read' },
      { to: '/{-$accountId}/requests', name: 'Requests', icon: 'requests', scope: 'usage:read' },
      { to: '/{-$accountId}/jobs', name: 'Jobs', icon: 'jobs', scope: 'documents:read' },
    ],
  },
  {
    name: 'Manage',
    pages: [
      { to: '/{-$accountId}/members', name: 'Members', icon: 'members' },
      { to: '/{-$accountId}/audit', name: 'Audit log', icon: 'audit', scope: 'audit:read' },
      { to: '/{-$accountId}/settings', name: 'Settings', icon: 'settings' },
    ],
  },
];

type Access = Pick<CurrentAccount, 'may'>;

/** Returns the groups of the navigation, with the pages that the person may open. */
export function navigationFor({ may }: Access, publishes?: boolean): NavigationGroup[] {
  const isAllowed = ({ scope, publishing }: Pick<NavigationPage, 'scope' | 'publishing'>) =>
    (scope === undefined || may(scope)) && (!publishing || publishes);
  return GROUPS.filter(isAllowed)
    .map((group) => ({ ...group, pages: group.pages.filter(isAllowed) }))
    .filter(({ pages }) => pages.length > 0);
}

/** Returns true if the person may open the page from the navigation, the palette and the list of shortcuts. */
export function isInNavigation(account: Access, to: PagePath): boolean {
  return navigationFor(account).some(({ pages }) => pages.some((page) => page.to === to));
}

/** True if the person manages neither API keys nor webhooks. */
function isWriter({ may }: Access): boolean {
  return !may('keys:read') && !may('webhooks:write');
}

/** Returns the first page of the account for the person: writers see their documents. */
export function landingPage(
  access: Access,
): '/{-$accountId}/documents' | '/{-$accountId}/overview' {
  return isWriter(access) ? '/{-$accountId}/documents' : '/{-$accountId}/overview';
}
