import { readNumberedItems, type Page } from '../../platform/http/pagination/read-page.js';
import type { PageQueryDto } from '../../platform/http/pagination/page-query.dto.js';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { filterOf, type ListEventsDto } from './dto/event.dto.js';
import { EVENT_TYPE_DESCRIPTIONS, type EventTypeDescription } from './catalogue/event-types.js';
import { FollowedEvents, followRequest } from './stream/followed-events.js';
import { EventsRepository, type EventBody } from './events.repository.js';

/** Reads the events of an account until their retention time ends. */
@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventsRepository,
    private readonly followed: FollowedEvents,
  ) {}

  /**
   * Lists thin events that match all filters. They contain IDs, version and status of the resource, but no content. With
   * `after`, throws `bad_request` for parameters in `sent` that contradict it.
   */
  async list(accountId: string, query: ListEventsDto, sent: object): Promise<Page<EventBody>> {
    if (query.after !== undefined) {
      return this.followed.read(followRequest(accountId, query, query.after, sent));
    }
    return this.events.list(accountId, filterOf(query), query);
  }

  /** Lists the event types that a webhook can select, in the order of the catalogue. */
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

  /** Returns the JSON text of one full event. Throws `not_found`. */
  async find(accountId: string, id: string): Promise<string> {
    const event = await this.events.find(accountId, uuidOf('event', id));
    if (!event) throw notFound('event');
    return event.body;
  }
}
