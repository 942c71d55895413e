import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { notFound } from '../errors/app-error.js';
import { uuidOf } from '../identifiers/identifiers.js';
import { BY_CREATION, type CreationSort } from '../pagination/creation-order.dto.js';
import { visibleBody } from './redaction.js';
import { readPage, type Listing, type Page, type PageRequest } from '../pagination/read-page.js';

/** The frozen JSON text of an event, as webhooks receive it. */
interface EventBody {
  body: string;
}

const EVENT_LISTING: Listing<CreationSort> = {
  name: 'events',
  table: 'events',
  where: 'item.account_id = $1',
  total: `SELECT coalesce(sum(count), 0)::bigint AS n FROM row_counts WHERE account_id = $1 AND kind = 'events'`,
  columns: `${visibleBody('item', 'thin_body')} AS body`,
  sorts: BY_CREATION,
};

/** Those that one request caused. */
const OF_REQUEST = `item.account_id = $1 AND item.request_id = $2::text`;
const LISTING_OF_REQUEST: Listing<CreationSort> = {
  ...EVENT_LISTING,
  name: 'events-of-request',
  where: OF_REQUEST,
  total: `SELECT count(*) AS n FROM events AS item WHERE ${OF_REQUEST}`,
};

const FIND: Statement = {
  name: 'events.find',
  text: `SELECT ${visibleBody('event', 'full_body')} AS body FROM events AS event WHERE id = $1 AND account_id = $2`,
};

/** What has happened in an account, until the retention time is over. Events are handed out as they were
 * frozen, without what was removed for good. */
@Injectable()
export class EventsService {
  constructor(private readonly database: Database) {}

  /**
   * One page of thin events: ids, version and status of the resource, no content. `requestId` is the public id of a
   * request, for what it caused.
   */
  async list(
    accountId: string,
    request: PageRequest<CreationSort>,
    requestId?: string,
  ): Promise<Page<EventBody>> {
    const listing =
      requestId === undefined ? EVENT_LISTING : { ...LISTING_OF_REQUEST, values: [requestId] };
    return readPage<EventBody, CreationSort>(this.database, listing, accountId, request);
  }

  /** The JSON text of one full event. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<string> {
    const [event] = await this.database.run<EventBody>(FIND, [uuidOf('event', id), accountId]);
    if (!event) throw notFound('event');
    return event.body;
  }
}
