import type { IconName } from '../components/icons.js';

/** The pages of an account in the order of the navigation. */
export const NAVIGATION = [
  { to: '/{-$accountId}/overview', name: 'Overview', icon: 'overview' },
  { to: '/{-$accountId}/documents', name: 'Documents', icon: 'documents' },
  { to: '/{-$accountId}/templates', name: 'Templates', icon: 'templates' },
  { to: '/{-$accountId}/keys', name: 'API keys', icon: 'keys' },
  { to: '/{-$accountId}/webhooks', name: 'Webhooks', icon: 'webhooks' },
  { to: '/{-$accountId}/events', name: 'Events', icon: 'events' },
  { to: '/{-$accountId}/requests', name: 'Requests', icon: 'requests' },
  { to: '/{-$accountId}/audit', name: 'Audit log', icon: 'audit' },
  { to: '/{-$accountId}/jobs', name: 'Jobs', icon: 'jobs' },
  { to: '/{-$accountId}/members', name: 'Members', icon: 'members' },
  { to: '/{-$accountId}/settings', name: 'Settings', icon: 'settings' },
] as const satisfies readonly { to: string; name: string; icon: IconName }[];
