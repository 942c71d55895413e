/** Every permission a key can have. `*` grants all of them, including ones added later. */
export const SCOPES = [
  'documents:read',
  'documents:read_published',
  'documents:write',
  'documents:delete',
  'documents:analyze',
  'documents:suggest',
  'collections:write',
  'access:write',
  'templates:read',
  'templates:write',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'keys:read',
  'keys:write',
  'tokens:write',
  'usage:read',
  'audit:read',
  '*',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes that a key with `collections` can have. The others are about the whole account. */
export const LIMITABLE_SCOPES = [
  'documents:read',
  'documents:read_published',
  'documents:write',
  'documents:delete',
  'documents:analyze',
  'documents:suggest',
  'collections:write',
  'templates:read',
  'templates:write',
  'events:read',
  'tokens:write',
] as const satisfies readonly Scope[];

/** Describes what each scope permits, and what it reveals in passing. docs/reference/scopes.md and the API document repeat this table. */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  'documents:read':
    'Read, list, search and export documents and their versions; list collections; read and preview releases; read jobs of documents; see who is in a document',
  'documents:read_published':
    'Read, list, search and export published versions of documents, without unpublished changes and email addresses. Included in `documents:read`',
  'documents:write':
    'Create, change, import, restore, publish and schedule documents, manage releases, decide about proposals, and move documents to the trash. Responses contain the document, so this key can read the content of any document by changing it, and any template by creating a document from it',
  'documents:delete': 'Permanently delete documents, together with `documents:write`',
  'documents:analyze':
    'Analyze documents and texts, and generate suggestions. Responses quote the document, so this key can read much of it',
  'documents:suggest':
    'Propose changes to documents, and withdraw own proposals. A person or a key with `documents:write` decides. Responses contain the document, so this key can read the content of any document by proposing a change',
  'collections:write':
    'Create, rename, move and delete collections. Responses contain the collection, not its documents',
  'access:write':
    'Read and change who can use the collections that the owner of the key manages; list the names and roles of members',
  'templates:read': 'Read and list templates and their versions, and preview them',
  'templates:write':
    'Create, change and delete templates. Responses contain the template, so this key can read it by changing it',
  'webhooks:read':
    'Read webhooks, without their secrets, and deliveries with the responses of the receivers',
  'webhooks:write':
    'Create, change, test and delete webhooks, replace their secrets, and resend deliveries. A webhook sends document contents to an address that this key chooses, even after the key is revoked',
  'events:read':
    'List, read and stream events, which contain documents and their content as they were at that time',
  'keys:read': 'Read and list API keys, without the key values',
  'keys:write':
    'Create, change, rotate and revoke API keys whose scopes, expiry and addresses do not exceed those of this key',
  'tokens:write':
    'Create browser tokens: short-lived, for some documents, and never with more permissions than this key',
  'usage:read':
    'Read the usage and limits of the account, and the log of its requests: paths with their queries, addresses and errors',
  'audit:read':
    'Read the audit log: who did what, with which key and from which address, without contents',
  '*': 'Everything, including scopes added later. Required to export, import and rename the account, and to configure a language model',
};

/** True if a key with `collections` can have the scope. */
export function isLimitable(scope: Scope): boolean {
  const limitable: readonly Scope[] = LIMITABLE_SCOPES;
  return limitable.includes(scope);
}

/** True if `granted` includes `required`, directly, as `*`, or because who reads documents reads published ones too. */
export function grants(granted: readonly Scope[], required: Scope): boolean {
  if (granted.includes('*') || granted.includes(required)) return true;
  return required === 'documents:read_published' && granted.includes('documents:read');
}

/** Returns the scopes that both lists grant. */
export function commonScopes(one: readonly Scope[], other: readonly Scope[]): readonly Scope[] {
  const both = one.filter((scope) => grants(other, scope));
  return [...both, ...other.filter((scope) => grants(one, scope) && !both.includes(scope))];
}
