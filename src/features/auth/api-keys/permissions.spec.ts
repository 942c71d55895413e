import { firstExcess, UNLIMITED, type Permissions } from './permissions.js';

const NOON = new Date('2027-01-01T12:00:00Z');
const LATER = new Date(NOON.getTime() + 1);
const permissions = (restrictions: Partial<Permissions>): Permissions => ({
  ...UNLIMITED,
  ...restrictions,
});

describe('permissions', () => {
  it('exceed neither equal permissions nor unlimited ones', () => {
    const own = permissions({
      scopes: ['keys:write'],
      expiresAt: NOON,
      allowedIps: ['192.0.2.0/24'],
      limits: { minute: 60, hour: null, day: 1 },
    });
    expect(firstExcess(own, own)).toBeUndefined();
    expect(firstExcess(own, UNLIMITED)).toBeUndefined();
    expect(firstExcess(UNLIMITED, UNLIMITED)).toBeUndefined();
  });

  it.each<[Permissions['scopes'], Permissions['scopes'], 'scopes' | undefined]>([
    [['documents:read'], ['documents:read', 'keys:write'], undefined],
    [['documents:read', '*'], ['*'], undefined],
    [['documents:read', 'keys:write'], ['keys:write'], 'scopes'],
    [['*'], ['documents:read', 'keys:write'], 'scopes'],
  ])('with the scopes %j against %j exceed %s', (scopes, own, excess) => {
    expect(firstExcess(permissions({ scopes }), permissions({ scopes: own }))).toBe(excess);
  });

  it.each<[Date | null, Date | null, 'expiresAt' | undefined]>([
    [NOON, NOON, undefined],
    [NOON, LATER, undefined],
    [NOON, null, undefined],
    [LATER, NOON, 'expiresAt'],
    [null, NOON, 'expiresAt'],
  ])('with the expiry %s against %s exceed %s', (expiresAt, own, excess) => {
    expect(firstExcess(permissions({ expiresAt }), permissions({ expiresAt: own }))).toBe(excess);
  });

  it.each<[string[], string[], 'allowedIps' | undefined]>([
    [['192.0.2.7'], ['198.51.100.0/24', '192.0.2.0/24'], undefined],
    [[], ['0.0.0.0/0', '::/0'], undefined],
    [[], ['0.0.0.0/0'], 'allowedIps'],
    [[], ['192.0.2.7'], 'allowedIps'],
    [['192.0.2.7', '192.0.2.8'], ['192.0.2.7'], 'allowedIps'],
  ])('for the addresses %j against %j exceed %s', (allowedIps, own, excess) => {
    expect(firstExcess(permissions({ allowedIps }), permissions({ allowedIps: own }))).toBe(excess);
  });

  it.each<[Permissions['limits'], Permissions['limits'], 'limits' | undefined]>([
    [{ minute: 60, hour: 5, day: null }, null, undefined],
    [{ minute: 59, hour: 5, day: null }, { minute: 60, hour: null, day: null }, undefined],
    [{ minute: 61, hour: null, day: null }, { minute: 60, hour: null, day: null }, 'limits'],
    [{ minute: null, hour: 60, day: null }, { minute: 60, hour: 60, day: null }, 'limits'],
    [null, { minute: null, hour: null, day: 1_000 }, 'limits'],
  ])('with the limits %j against %j exceed %s', (limits, own, excess) => {
    expect(firstExcess(permissions({ limits }), permissions({ limits: own }))).toBe(excess);
  });

  it.each<[Permissions['collections'], Permissions['collections'], 'collections' | undefined]>([
    [['one'], null, undefined],
    [['one'], ['one', 'two'], undefined],
    [[], ['one'], undefined],
    [['one', 'three'], ['one', 'two'], 'collections'],
    [['one'], [], 'collections'],
    [null, ['one'], 'collections'],
    [null, [], 'collections'],
  ])('for the collections %j against %j exceed %s', (collections, own, excess) => {
    expect(firstExcess(permissions({ collections }), permissions({ collections: own }))).toBe(
      excess,
    );
  });
});
