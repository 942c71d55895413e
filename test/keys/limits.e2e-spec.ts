import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { KeysApi } from './keys-api.js';

let app: TestApp;
let keys: KeysApi;
beforeAll(async () => {
  app = await startTestApp();
  keys = new KeysApi((await app.account()).api);
});
afterAll(() => app.close());

const NONE = { minute: null, hour: null, day: null };
const LIMITED = { minute: 60, hour: null, day: 1_000 };

describe('the limits of a key', () => {
  it('are returned when it is created, read, listed, rotated and described to itself', async () => {
    const key = await keys.made({ limits: { minute: 60, day: 1_000 }, scopes: ['*'] });
    expect(key.limits).toEqual(LIMITED);
    expect(expectSuccess(await keys.read(key.id))).toMatchObject({ limits: LIMITED });
    const listed = expectSuccess(await keys.list()) as unknown[];
    expect(listed).toContainEqual(expect.objectContaining({ id: key.id, limits: LIMITED }));
    const me = await app.api(key.key).send('GET', '/v1/me');
    expect(expectSuccess(me)).toMatchObject({ key: { limits: LIMITED } });
    expect((await keys.rotated(key.id)).limits).toEqual(LIMITED);
  });

  it.each([{}, { limits: null }, { limits: {} }, { limits: NONE }])(
    'are none for a key created with %j',
    async (body) => {
      expect((await keys.made(body)).limits).toEqual(NONE);
    },
  );

  it('change window by window with a merge patch, and end with null', async () => {
    const { id } = await keys.made({ limits: LIMITED });
    const patched = async (limits: unknown) => expectSuccess(await keys.patch(id, { limits }));
    expect(await patched({ hour: 500 })).toMatchObject({ limits: { ...LIMITED, hour: 500 } });
    expect(await patched({ day: null })).toMatchObject({
      limits: { minute: 60, hour: 500, day: null },
    });
    expect(expectSuccess(await keys.patch(id, { name: 'Other' }))).toMatchObject({
      limits: { minute: 60, hour: 500, day: null },
    });
    expect(await patched(null)).toMatchObject({ limits: NONE });
  });

  it.each([0, -1, 1.5, '60', 2_147_483_648])('cannot be %j', async (minute) => {
    for (const response of [
      await keys.create({ name: 'k', scopes: ['documents:read'], limits: { minute } }),
      await keys.patch((await keys.made()).id, { limits: { minute } }),
    ]) {
      expectFailure(response, 400, 'INVALID_REQUEST');
      expect(response.body.error.details).toMatchObject({
        field: 'limits.minute',
        issue: 'must be a whole number from 1 to 2147483647',
      });
    }
  });

  it('are audited, and a patch that repeats them writes nothing', async () => {
    const { id } = await keys.made({ limits: LIMITED });
    expectSuccess(await keys.patch(id, { limits: LIMITED }));
    expectSuccess(await keys.patch(id, { limits: { minute: 30 } }));
    const audited = await keys.api.list('/v1/audit', { resourceId: id });
    expect(expectSuccess(audited)).toMatchObject([
      { action: 'key.update', details: { changes: ['limits'], limits: { minute: 30 } } },
      { action: 'key.create', details: { limits: LIMITED } },
    ]);
  });
});

describe('a key with limits', () => {
  it.each([
    undefined,
    null,
    { minute: 61, day: 1_000 },
    { minute: 60 },
    { minute: 60, day: 1_001 },
    { day: 1_000 },
  ])('cannot create a key with the limits %j, and says which it can grant', async (limits) => {
    const { key } = await keys.made({ scopes: ['*'], limits: LIMITED });
    const own = new KeysApi(app.api(key));
    const response = await own.create({ name: 'k', scopes: ['documents:read'], limits });
    expectFailure(response, 403, 'FORBIDDEN');
    expect(response.body.error).toMatchObject({
      message:
        'This API key can send 60 a minute, unlimited an hour, 1000 a day, and no key it creates or changes can send more. Send these limits or lower ones as limits.',
      details: {
        field: 'limits',
        issue: 'must not exceed 60 a minute, unlimited an hour, 1000 a day, the limits of the calling key',
      },
    });
    await own.made({ limits: { minute: 60, hour: 5, day: 999 } });
  });

  it('can lower its own limits, but not raise or remove them', async () => {
    const { id, key } = await keys.made({ scopes: ['*'], limits: LIMITED });
    const own = new KeysApi(app.api(key));
    expectSuccess(await own.patch(id, { limits: { minute: 50 } }));
    for (const limits of [null, { minute: 51 }, { day: null }]) {
      expectFailure(await own.patch(id, { limits }), 403, 'FORBIDDEN');
    }
    expect((await own.rotated(id)).limits).toEqual({ ...LIMITED, minute: 50 });
  });

  it('cannot change, rotate or revoke a key with higher limits or none', async () => {
    const { key } = await keys.made({ scopes: ['*'], limits: LIMITED });
    const own = new KeysApi(app.api(key));
    for (const limits of [null, { minute: 61, day: 1_000 }]) {
      const { id } = await keys.made({ limits });
      for (const response of [
        await own.patch(id, { name: 'Other' }),
        await own.rotate(id),
        await own.revoke(id),
      ]) {
        expectFailure(response, 403, 'FORBIDDEN');
        expect(response.body.error.message).toContain('that key has higher limits, or none');
      }
    }
  });
});
