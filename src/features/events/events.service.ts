import { Injectable } from '@nestjs/common';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import type { CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import type { Page, PageRequest } from '../../platform/http/pagination/read-page.js';
import { EventsRepository, type EventBody, type EventFilter } from './events.repository.js';

/** Reads the events of an account until their retention time ends. */
@Injectable()
export class EventsService {
  constructor(private readonly events: EventsRepository) {}

  /** Lists thin events: ids, version and status of the resource, no content. */
  async list(
    accountId: string,
    filter: EventFilter,
    request: PageRequest<CreationSort>,
  ): Promise<Page<EventBody>> {
    return this.events.list(accountId, filter, request);
  }

  /** Returns the JSON text of one full event. Throws `not_found`. */
  async find(accountId: string, id: string): Promise<string> {
    const event = await this.events.find(accountId, uuidOf('event', id));
    if (!event) throw notFound('event');
    return event.body;
  }
}
