import { readNumberedItems } from '../../platform/http/pagination/numbered-items.js';
import type { PageQueryDto } from '../../platform/http/pagination/page-query.dto.js';
import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import type { CreationSort } from '../../platform/http/pagination/creation-order.dto.js';
import { readPage, type Page } from '../../platform/http/pagination/read-page.js';
import type { ListEventsDto } from './dto/list-events.dto.js';
import { eventListing, filterOf } from './event-listing.js';
import { EVENT_TYPE_DESCRIPTIONS, type EventTypeDescription } from './event-types.js';
import { FollowedEvents, followRequest } from './followed-events.js';
import { visibleBody } from './redaction.js';

/** The frozen JSON text of an event, as webhooks receive it. */
interface EventBody {
  body: string;
}

const FIND: Statement = {
  name: 'events.find',
  text: `SELECT ${visibleBody('event', 'full_body')} AS body FROM events AS event WHERE id = $1 AND account_id = $2`,
};

/** What has happened in an account, until the retention time is over. Events are handed out as they were
 * frozen, without what was removed for good. */
@Injectable()
export class EventsService {
  constructor(
    private readonly database: Database,
    private readonly followed: FollowedEvents,
  ) {}

  /**
   * Returns one page of thin events that match all filters: ids, version and status of the resource, no content. With
   * `after`, throws `bad_request` for other parameters in `sent` that contradict it.
   */
  async list(accountId: string, query: ListEventsDto, sent: object): Promise<Page<EventBody>> {
    if (query.after !== undefined) {
      return this.followed.read(followRequest(accountId, query, query.after, sent));
    }
    const listing = eventListing(filterOf(query));
    return readPage<EventBody, CreationSort>(this.database, listing, accountId, query);
  }

  /** Returns one page of the types that a webhook can select, in the order of the catalogue. */
  listTypes(
    accountId: string,
    query: PageQueryDto & { order: 'asc' | 'desc' },
  ): Promise<Page<EventTypeDescription>> {
    const all = {
      ownerId: accountId,
      total: EVENT_TYPE_DESCRIPTIONS.length,
      read: (first: number, last: number) =>
        Promise.resolve(EVENT_TYPE_DESCRIPTIONS.slice(first - 1, last)),
    };
    return readNumberedItems(all, query);
  }

  /** The JSON text of one full event. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<string> {
    const [event] = await this.database.run<EventBody>(FIND, [uuidOf('event', id), accountId]);
    if (!event) throw notFound('event');
    return event.body;
  }
}
