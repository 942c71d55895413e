import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import type { CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import { readPage, type Page, type PageRequest } from '../../platform/http/pagination/read-page.js';
import { eventListing, type EventFilter } from './event-listing.js';
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
  constructor(private readonly database: Database) {}

  /** One page of thin events under all of the filters: ids, version and status of the resource, no content. */
  async list(
    accountId: string,
    filter: EventFilter,
    request: PageRequest<CreationSort>,
  ): Promise<Page<EventBody>> {
    return readPage<EventBody, CreationSort>(
      this.database,
      eventListing(filter),
      accountId,
      request,
    );
  }

  /** The JSON text of one full event. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<string> {
    const [event] = await this.database.run<EventBody>(FIND, [uuidOf('event', id), accountId]);
    if (!event) throw notFound('event');
    return event.body;
  }
}
