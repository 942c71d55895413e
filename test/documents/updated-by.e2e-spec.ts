import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { FROM_EVERYWHERE, join, signUpAs, type SignedInPerson } from '../dashboard/people.js';
import type { ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';

interface Shown {
  id: string;
  createdBy: { id: string; name: string };
  updatedBy: { id: string; name: string };
}

let app: TestApp;
let ada: SignedInPerson;
let grace: SignedInPerson;
beforeAll(async () => {
  app = await startTestApp({ environment: FROM_EVERYWHERE });
  ada = await signUpAs(app);
  grace = await join(app, ada.accountId, 'member');
  await app.dataSource.query(`UPDATE users SET name = 'Grace Hopper' WHERE id = $1`, [
    decodeId('user', grace.user.id),
  ]);
});
afterAll(() => app.close());

const send = (person: SignedInPerson, method: string, path: string, body?: unknown) =>
  person.browser.request(method, `/dashboard/api/accounts/${ada.accountId}/v1${path}`, { body });
const namesOf = ({ createdBy, updatedBy }: Shown) => [createdBy.name, updatedBy.name];
const shown = (response: ApiResponse, status = 200) => expectSuccess(response, status) as Shown;

describe('The person who made the current version', () => {
  it('The person who made the current version is the creator at first, and then whoever changes the document', async () => {
    const created = shown(await send(ada, 'POST', '/documents', { title: 'One' }), 201);
    expect(namesOf(created)).toEqual(['Ada Lovelace', 'Ada Lovelace']);
    const path = `/documents/${created.id}`;
    const changed = shown(await send(grace, 'PATCH', path, { title: 'Two' }));
    expect(namesOf(changed)).toEqual(['Ada Lovelace', 'Grace Hopper']);
    expect(changed.updatedBy).toMatchObject({ id: grace.user.id, email: grace.user.email });
    expect(shown(await send(ada, 'GET', path))).toEqual(changed);
    // Nothing changes, so there is no version.
    await send(ada, 'PATCH', path, { title: 'Two' });
    expect(namesOf(shown(await send(ada, 'GET', path)))[1]).toBe('Grace Hopper');
    expect(namesOf(shown(await send(ada, 'PATCH', path, { title: 'Three' })))[1]).toBe(
      'Ada Lovelace',
    );
  });

  it('The person who made the current version is in lists, filtered lists, selected fields, the trash and events', async () => {
    const { id } = shown(await send(ada, 'POST', '/documents', { title: 'Lighthouse' }), 201);
    await send(grace, 'PATCH', `/documents/${id}`, { title: 'Lighthouse keeper' });
    const lists = ['', '?status=draft&sort=title', '?fields=updatedBy', '?include=content'];
    for (const query of lists) {
      const items = expectSuccess(await send(ada, 'GET', `/documents${query}`)) as Shown[];
      expect(items.find((item) => item.id === id)?.updatedBy.name).toBe('Grace Hopper');
    }
    const events = await send(ada, 'GET', '/events?limit=1');
    const [{ id: eventId }] = expectSuccess(events) as [{ id: string }];
    const event = expectSuccess(await send(ada, 'GET', `/events/${eventId}`)) as {
      data: { document: Shown };
    };
    expect(namesOf(event.data.document)).toEqual(['Ada Lovelace', 'Grace Hopper']);
    await send(ada, 'DELETE', `/documents/${id}`);
    const [trashed] = expectSuccess(await send(ada, 'GET', '/documents?deleted=true')) as Shown[];
    expect(trashed?.updatedBy.name).toBe('Grace Hopper');
  });

  it('The person who made the current version is the author of the newest version, also after a version was restored', async () => {
    const { id } = shown(await send(ada, 'POST', '/documents', { title: 'A' }), 201);
    await send(ada, 'PATCH', `/documents/${id}`, { title: 'B' });
    await send(grace, 'POST', `/documents/${id}/versions/1/restore`);
    const document = shown(await send(ada, 'GET', `/documents/${id}`));
    const versions = await send(ada, 'GET', `/documents/${id}/versions?order=desc&limit=1`);
    const [version] = expectSuccess(versions) as [{ author: object }];
    expect(document.updatedBy).toEqual(version.author);
    expect(document.updatedBy.name).toBe('Grace Hopper');
  });

  it('The person who made the current version is the caller in a copy, and ignored in bodies', async () => {
    const original = shown(await send(ada, 'POST', '/documents', { title: 'A' }), 201);
    const copy = shown(await send(grace, 'POST', `/documents/${original.id}/copy`), 201);
    expect(namesOf(copy)).toEqual(['Grace Hopper', 'Grace Hopper']);
    const body = { ...original, title: 'B', updatedBy: grace.user };
    const changed = shown(await send(ada, 'PUT', `/documents/${original.id}`, body));
    expect(changed.updatedBy.name).toBe('Ada Lovelace');
  });
});
