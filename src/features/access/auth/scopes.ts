/** Every permission a key can carry. `*` grants all of them, also ones added later. */
export const SCOPES = [
  'documents:read',
  'documents:write',
  'documents:delete',
  'documents:analyze',
  'templates:read',
  'templates:write',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'keys:read',
  'keys:write',
  'usage:read',
  'audit:read',
  '*',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a key may do with each, and what it gets to read on the way; the tables of docs/api.md and of the API document say the same. */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  'documents:read': 'Read, list, search and export documents and their versions; see their jobs',
  'documents:write':
    'Create, change, import and restore documents, and move them into the trash. Answers hold the document, so this key can read the content of every document by changing it, and a template by making a document from it',
  'documents:delete': 'Remove documents for good, together with `documents:write`',
  'documents:analyze':
    'Analyse documents and texts, and have suggestions made. Answers quote the document, so this key can read much of it',
  'templates:read': 'Read and list templates and their versions, and preview them',
  'templates:write':
    'Create, change and delete templates. Answers hold the template, so this key can read it by changing it',
  'webhooks:read':
    'Read webhooks, without their secrets, and deliveries with what the receivers answered',
  'webhooks:write':
    'Register, change, test and delete webhooks, replace their secrets, and send deliveries anew. A webhook sends the contents of documents to an address that this key chooses, also after the key has ended',
  'events:read':
    'List, read and follow events, which hold documents with their content as they were at the time',
  'keys:read': 'Read and list API keys, without the keys themselves',
  'keys:write':
    'Make, change, rotate and revoke API keys that reach no further than this one: in scopes, end and addresses',
  'usage:read':
    'Read what the account has and may have, and what was asked for with its keys: paths with their queries, addresses and failures',
  'audit:read': 'Read who did what, by which key and from which address, without contents',
  '*': 'Everything, also what is added later; exporting, importing and renaming the account, and having texts sent to a model, need it',
};

/** Whether keys with `granted` may do what needs `required`. */
export function grants(granted: readonly Scope[], required: Scope): boolean {
  return granted.includes('*') || granted.includes(required);
}

/** Returns the scopes that both lists grant. */
export function commonScopes(one: readonly Scope[], other: readonly Scope[]): readonly Scope[] {
  if (other.includes('*')) return one;
  return one.includes('*') ? other : one.filter((scope) => other.includes(scope));
}
