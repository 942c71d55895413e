/* Until openapi.dashboard.json is there: its paths, written by hand in the shape that openapi-typescript generates. */
export type Role = 'owner' | 'admin' | 'member' | 'viewer';
export type Plan = 'free' | 'plus' | 'pro' | 'enterprise';
export interface SessionUser { id: string; name: string; email: string; hasPassword: boolean; twoFactor: boolean }
export interface AccountMembership { id: string; name: string; plan: Plan; role: Role }
export interface SessionState {
  user: SessionUser | null;
  sessionId: string | null;
  accounts: AccountMembership[];
  roles: Record<Role, string[]>;
  signUp: 'open' | 'closed';
  oidc: { name: string } | null;
}
export interface SessionItem { id: string; createdAt: string; seenAt: string; expiresAt: string; address: string | null; userAgent: string | null; current: boolean }
export interface LinkPreview {
  purpose: 'first-run' | 'invitation' | 'password'; email: string | null;
  account: { id: string; name: string } | null; role: Role | null; invitedBy: string | null; userExists: boolean; expiresAt: string;
}
export interface AccountDetails { id: string; name: string; plan: Plan; role: Role; createdAt: string; retention: Record<string, number | null>; plans: PlanRow[] }
export interface PlanRow { plan: Plan; windows: { minute: number | null; hour: number | null; day: number | null }; quotas: Record<string, number | null> }
export interface Member { userId: string; name: string; email: string; role: Role; joinedAt: string; lastSeenAt: string | null; twoFactor: boolean; isYou: boolean }
export interface Invitation { id: string; email: string; role: Role; invitedBy: string | null; createdAt: string; expiresAt: string }
export interface FirstSteps { dismissedAt: string | null; steps: { id: 'create-key' | 'send-request' | 'create-document' | 'create-webhook' | 'receive-delivery'; done: boolean }[] }
export interface Receiver { id: string; url: string; expiresAt: string }
export interface ReceivedDelivery { id: string; receivedAt: string; eventType: string | null; headers: Record<string, string>; body: string; signature: 'valid' | 'invalid' | 'unknown' }

type Operation<Data, Body = never, Query = never, Path = never> = {
  parameters: { query?: Query; header?: never; cookie?: never } & ([Path] extends [never] ? { path?: never } : { path: Path });
  responses: { 200: { headers: Record<string, unknown>; content: { 'application/json': { success: true; data: Data; meta: { requestId: string } } } } };
} & ([Body] extends [never] ? { requestBody?: never } : { requestBody: { content: { 'application/json': Body } } });
interface Id { id: string }
export interface paths {
  '/dashboard/api/session': { get: Operation<SessionState>; post: Operation<SessionState, { email: string; password: string; code?: string }>; delete: Operation<unknown> };
  '/dashboard/api/sessions': { get: Operation<SessionItem[]>; delete: Operation<unknown> };
  '/dashboard/api/sessions/{id}': { delete: Operation<unknown, never, never, Id> };
  '/dashboard/api/users': { post: Operation<SessionState, { email: string; name: string; password: string }> };
  '/dashboard/api/user': { get: Operation<SessionUser>; patch: Operation<SessionUser, { name: string }> };
  '/dashboard/api/user/password': { post: Operation<unknown, { currentPassword?: string; newPassword: string }> };
  '/dashboard/api/user/two-factor': { post: Operation<{ secret: string; uri: string }, { password: string }>; delete: Operation<unknown, { password: string; code: string }> };
  '/dashboard/api/user/two-factor/confirm': { post: Operation<{ recoveryCodes: string[] }, { code: string }> };
  '/dashboard/api/user/two-factor/recovery-codes': { post: Operation<{ recoveryCodes: string[] }, { password: string; code: string }> };
  '/dashboard/api/links/preview': { post: Operation<LinkPreview, { token: string }> };
  '/dashboard/api/links/use': { post: Operation<SessionState, { token: string; email?: string; name?: string; password?: string; code?: string }> };
  '/dashboard/api/accounts/{id}': { get: Operation<AccountDetails, never, never, Id>; patch: Operation<AccountDetails, { name: string }, never, Id>; delete: Operation<unknown, { name: string }, never, Id> };
  '/dashboard/api/accounts/{id}/members': { get: Operation<Member[], never, never, Id> };
  '/dashboard/api/accounts/{id}/members/{userId}': { patch: Operation<Member, { role: Role }, never, Id & { userId: string }>; delete: Operation<unknown, never, { revokeKeys?: boolean }, Id & { userId: string }> };
  '/dashboard/api/accounts/{id}/invitations': { get: Operation<Invitation[], never, never, Id>; post: Operation<Invitation & { link: string }, { email: string; role: Role }, never, Id> };
  '/dashboard/api/accounts/{id}/invitations/{invitationId}': { delete: Operation<unknown, never, never, Id & { invitationId: string }> };
  '/dashboard/api/accounts/{id}/invitations/{invitationId}/link': { post: Operation<{ link: string }, never, never, Id & { invitationId: string }> };
  '/dashboard/api/accounts/{id}/first-steps': { get: Operation<FirstSteps, never, never, Id> };
  '/dashboard/api/accounts/{id}/first-steps/dismiss': { post: Operation<unknown, never, never, Id> };
  '/dashboard/api/accounts/{id}/receivers': { get: Operation<Receiver[], never, never, Id>; post: Operation<Receiver, never, never, Id> };
  '/dashboard/api/accounts/{id}/receivers/{receiverId}': { delete: Operation<unknown, never, never, Id & { receiverId: string }> };
  '/dashboard/api/accounts/{id}/receivers/{receiverId}/deliveries': { get: Operation<ReceivedDelivery[], never, never, Id & { receiverId: string }> };
}
