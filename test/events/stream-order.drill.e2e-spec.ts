import { setImmediate as turn } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { StreamClient } from './stream-client.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { DATABASE_POOL_SIZE: '30' } });
});
afterAll(() => app.close());

/** An open transaction that writes an event, because a client cannot hold one open over HTTP. */
class Writer {
  private constructor(private readonly session: QueryRunner) {}

  static async begin(): Promise<Writer> {
    const session = app.dataSource.createQueryRunner();
    await session.startTransaction();
    return new Writer(session);
  }

  /** Writes an event with this id or a new one. Returns its public id. */
  async write(accountId: string, id = newUuid()): Promise<string> {
    await this.session.query(
      `INSERT INTO events (id, account_id, type, full_body, thin_body, created_at)
       VALUES ($1, $2, 'document.updated', $3, '{}', now())`,
      [id, accountId, JSON.stringify({ id })],
    );
    return encodeId('event', id);
  }

  async savepoint(): Promise<void> {
    await this.session.query('SAVEPOINT here');
  }

  async rollBackToSavepoint(): Promise<void> {
    await this.session.query('ROLLBACK TO SAVEPOINT here');
  }

  async commit(): Promise<void> {
    await this.session.commitTransaction();
    await this.session.release();
  }

  async rollBack(): Promise<void> {
    await this.session.rollbackTransaction();
    await this.session.release();
  }
}

describe('the order of a stream', () => {
  it('the order of a stream delivers events in order and loses none when a later one commits first', async () => {
    const { accountId, key } = await app.account();
    const stream = (await StreamClient.open(app.origin, key)).listen();
    const [early, late] = [await Writer.begin(), await Writer.begin()];
    const first = await early.write(accountId);
    const second = await late.write(accountId);
    await late.commit();
    const bystander = (await StreamClient.open(app.origin, key)).listen();
    await early.commit();
    expect((await stream.nextOnes(2)).map(({ id }) => id)).toEqual([first, second]);
    // Opened between the two commits: only shows what commits afterwards.
    expect((await bystander.next()).id).toBe(first);
    stream.leave();
    bystander.leave();
  });

  it('the order of a stream does not follow the IDs, which are assigned before the commit', async () => {
    const { accountId, key } = await app.account();
    const stream = (await StreamClient.open(app.origin, key)).listen();
    const older = newUuid();
    const one = await Writer.begin();
    const shownFirst = await one.write(accountId);
    await one.commit();
    expect((await stream.next()).id).toBe(shownFirst);
    const other = await Writer.begin();
    const shownSecond = await other.write(accountId, older);
    await other.commit();
    expect((await stream.next()).id).toBe(shownSecond);
    const resumed = await StreamClient.open(app.origin, key, { lastEventId: shownFirst });
    expect((await resumed.listen().next()).id).toBe(shownSecond);
    stream.leave();
    resumed.leave();
  });

  it('the order of a stream is not delayed by a transaction that rolls back', async () => {
    const { accountId, key } = await app.account();
    const stream = (await StreamClient.open(app.origin, key)).listen();
    const [early, late] = [await Writer.begin(), await Writer.begin()];
    await early.write(accountId);
    const kept = await late.write(accountId);
    await late.commit();
    await early.rollBack();
    expect((await stream.next()).id).toBe(kept);
    stream.leave();
  });

  it('the order of a stream is not delayed by transactions that write no event', async () => {
    const { accountId, key } = await app.account();
    const stream = (await StreamClient.open(app.origin, key)).listen();
    const other = app.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query('UPDATE accounts SET name = name WHERE id = $1', [accountId]);
    const writer = await Writer.begin();
    const event = await writer.write(accountId);
    await writer.commit();
    expect((await stream.next()).id).toBe(event);
    await other.rollbackTransaction();
    await other.release();
    stream.leave();
  });

  it('the order of a stream loses nothing of a transaction that rolled back to a savepoint and wrote again', async () => {
    const { accountId, key } = await app.account();
    const stream = (await StreamClient.open(app.origin, key)).listen();
    const early = await Writer.begin();
    await early.savepoint();
    await early.write(accountId);
    await early.rollBackToSavepoint();
    const between = await Writer.begin();
    const shown = [await between.write(accountId)];
    await between.commit();
    expect((await stream.next()).id).toBe(shown[0]);
    await early.savepoint();
    shown.push(await early.write(accountId));
    await early.rollBackToSavepoint();
    const written = await early.write(accountId);
    const late = await Writer.begin();
    const last = await late.write(accountId);
    await late.commit();
    await early.commit();
    expect((await stream.nextOnes(2)).map(({ id }) => id)).toEqual([written, last]);
    stream.leave();
  });

  it('the order of a stream does not lose the very first event of a database', async () => {
    const fresh = await startTestApp();
    const { api, key, accountId } = await fresh.account();
    const session = fresh.dataSource.createQueryRunner();
    await session.startTransaction();
    const first = newUuid();
    await session.query(
      `INSERT INTO events (id, account_id, type, full_body, thin_body, created_at)
       VALUES ($1, $2, 'document.updated', '{}', '{}', now())`,
      [first, accountId],
    );
    const stream = (await StreamClient.open(fresh.origin, key)).listen();
    await session.commitTransaction();
    await session.release();
    await api.createDocument({ title: 'Second' });
    const [shown, second] = await stream.nextOnes(2);
    expect(shown?.id).toBe(encodeId('event', first));
    expect(second?.event).toBe('document.created');
    stream.leave();
    await fresh.close();
  });

  it('the order of a stream of one document is the order of its versions, however many clients change it at once', async () => {
    const { api, key } = await app.account();
    const created = await api.createDocument({ title: 'Contended' });
    const { id } = created.body.data as { id: string };
    const stream = (await StreamClient.open(app.origin, key)).listen();
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        api.patchDocument(
          id,
          { title: `Title ${String(index)}` },
          index % 2 === 0 ? {} : { 'idempotency-key': String(index) },
        ),
      ),
    );
    // On a slow machine, requests that waited too long are refused and create no version.
    const statuses = responses.map(({ status }) => status);
    expect(new Set([...statuses, 503])).toEqual(new Set([200, 503]));
    const changes = statuses.filter((status) => status === 200).length;
    const versions = (await stream.nextOnes(changes)).map(
      ({ data }) =>
        (JSON.parse(data) as { data: { document: { version: number } } }).data.document.version,
    );
    expect(versions).toEqual(Array.from({ length: changes }, (_, index) => index + 2));
    stream.leave();
  });

  it('the order of a stream delivers everything once to a client that disconnects at random, whatever commits in the meantime', async () => {
    const { accountId, key } = await app.account();
    const written: string[] = [];
    const pause = async () => {
      for (let turns = Math.random() * 20; turns > 0; turns -= 1) await turn();
    };
    const write = async () => {
      for (let index = 0; index < 60; index += 1) {
        const writer = await Writer.begin();
        const ids: string[] = [];
        for (let events = Math.random() * 3; events > 0; events -= 1) {
          ids.push(await writer.write(accountId));
          await pause();
        }
        if (Math.random() < 0.1) await writer.rollBack();
        else {
          await writer.commit();
          written.push(...ids);
        }
      }
    };
    // Provides something to resume from at the first break, and an event that ends it.
    const first = await Writer.begin();
    let lastEventId = await first.write(accountId);
    await first.commit();
    let last: string | undefined;
    const writers = Promise.all(Array.from({ length: 8 }, write)).then(async () => {
      const writer = await Writer.begin();
      last = await writer.write(accountId);
      await writer.commit();
    });
    const shown: string[] = [];
    while (lastEventId !== last) {
      const stream = (await StreamClient.open(app.origin, key, { lastEventId })).listen();
      const wanted = 1 + Math.floor(Math.random() * 40);
      for (let taken = 0; taken < wanted && lastEventId !== last; taken += 1) {
        ({ id: lastEventId } = await stream.next());
        shown.push(lastEventId);
      }
      stream.leave();
    }
    await writers;
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.toSorted()).toEqual([...written, last].toSorted());
  });
});
