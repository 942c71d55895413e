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

/** Whether keys with `granted` may do what needs `required`. */
export function grants(granted: readonly Scope[], required: Scope): boolean {
  return granted.includes('*') || granted.includes(required);
}
