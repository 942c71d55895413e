import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { UNLIMITED } from './api-keys/permissions.js';
import {
  actorOf,
  logFieldsOf,
  ownerIdOf,
  permissionsOf,
  systemPrincipal,
  type KeyPrincipal,
  type PersonPrincipal,
} from './principal.js';
import { ROLE_SCOPES } from './roles.js';

const [accountId, userId, keyId] = [
  '01a201b0-6715-75d8-9370-131c4003b5c1',
  '01a201b0-6715-75d8-9370-131c4003b5c2',
  '01a201b0-6715-75d8-9370-131c4003b5c3',
];
const user = { id: userId, name: 'Ada Lovelace', email: 'ada@example.com' };
const inAccount = { accountId, user, plan: 'free', customLimits: null, accessEpoch: '0' } as const;
const restrictions = {
  scopes: ['keys:write'] as const,
  expiresAt: new Date('2027-01-01T00:00:00Z'),
  allowedIps: ['192.0.2.7'],
  limits: { minute: 60, hour: null, day: null },
};
const key: KeyPrincipal = {
  ...inAccount,
  ...restrictions,
  kind: 'key',
  keyId,
  role: 'owner',
  collections: null,
  token: null,
};
const person: PersonPrincipal = {
  ...inAccount,
  kind: 'person',
  role: 'viewer',
  scopes: ROLE_SCOPES.viewer,
};
const operator = systemPrincipal('operator', accountId, user);

describe('a principal', () => {
  it('is recorded in events and the audit log with its key, without a key, or not at all', () => {
    expect(actorOf(key)).toEqual({ userId, keyId });
    expect(actorOf(person)).toEqual({ userId, keyId: null });
    expect(actorOf(operator)).toBeNull();
  });

  it('owns its idempotency records as a key or as a person', () => {
    expect(ownerIdOf(key)).toBe(keyId);
    expect(ownerIdOf(person)).toBe(userId);
  });

  it('creates keys within its own restrictions, its role, or without limit', () => {
    expect(permissionsOf(key)).toMatchObject(restrictions);
    expect(permissionsOf(person)).toEqual({ ...UNLIMITED, scopes: ROLE_SCOPES.viewer });
    expect(permissionsOf(operator)).toEqual(UNLIMITED);
  });

  it('appears in the log with public IDs', () => {
    const account = encodeId('account', accountId);
    expect(logFieldsOf(key)).toEqual({ accountId: account, keyId: encodeId('key', keyId) });
    expect(logFieldsOf(person)).toEqual({ accountId: account, userId: encodeId('user', userId) });
    expect(logFieldsOf(operator)).toEqual({ accountId: account, by: 'operator' });
  });
});

describe('the roles of members', () => {
  it('have more scopes from viewer to admin, and only the owner has all of them', () => {
    const { viewer, member, admin, owner } = ROLE_SCOPES;
    expect(member).toEqual(expect.arrayContaining([...viewer]));
    expect(admin).toEqual(expect.arrayContaining([...member]));
    expect(owner).toEqual(['*']);
    for (const scopes of [viewer, member, admin]) expect(scopes).not.toContain('*');
  });
});
