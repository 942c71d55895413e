import type { Authorization } from './authorization.js';

type AppScope = Authorization['scopes'][number]['scope'];

/** What an app with a scope can do, as a person would say it. */
export const APP_SCOPES: Readonly<Record<AppScope, string>> = {
  'documents:read': 'Read documents and their history',
  'documents:suggest': 'Propose changes, which a person accepts or rejects',
  'documents:write': 'Create and change documents and move them to the trash, without asking',
  'documents:delete': 'Permanently delete documents, if it can also change them',
  'documents:analyze': 'Check texts and generate suggestions',
  'templates:read': 'Read templates',
  'templates:write': 'Create, change and delete templates',
  'events:read': 'Follow events, which contain the documents',
  'usage:read': 'See usage, limits and the log of requests',
};
