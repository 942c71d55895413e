import type { Scope } from '../../api/session.js';

/** What an app with a scope can do, as a person would say it. */
const SENTENCES: Partial<Record<Scope, string>> = {
  'documents:read': 'Read your documents and their history',
  'documents:suggest': 'Propose changes, which a person accepts or rejects',
  'documents:write': 'Create and change documents and move them to the trash, without asking you',
  'documents:delete': 'Permanently delete documents',
  'documents:analyze': 'Check texts and generate suggestions',
  'templates:read': 'Read templates',
  'templates:write': 'Create, change and delete templates',
  'events:read': 'Follow what happens to documents, with their contents',
  'usage:read': 'See usage and the log of requests',
};

/** Returns what an app with the scope can do, as the label of a checkbox. */
export function sentenceFor(scope: Scope): string {
  return SENTENCES[scope] ?? scope;
}
