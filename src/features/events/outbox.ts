import type { Actor } from '../access/auth/principal.js';
import type { Database, Statement } from '../../platform/database/database.js';
import { encodeId, newUuid } from '../../platform/basics/identifiers/identifiers.js';
import type { EventType } from './catalogue/catalogue.js';

/** JSON text with a gap, into which the inserting statement puts the content of the subject as a JSON string. */
interface TextWithGap {
  before: string;
  after: string;
}

export interface EventInput {
  type: EventType;
  accountId: string;
  /** UUID of the resource the event is about. */
  subjectId: string;
  at: Date;
  /** `null` when the service itself did. */
  actor: Actor | null;
  /** `null` when no request did. */
  requestId: string | null;
  /** JSON text of `data`, as webhooks with `payload: "full"` receive it. */
  fullData: string | TextWithGap;
  /** JSON text of `data` without content, for `payload: "thin"`. */
  thinData: string;
  /** What webhooks filter by, before and after the change; missing for what is about no document. */
  states?: readonly EventState[];
}

/** Of a document at one moment: its type, tags and project. */
export interface EventState {
  types: readonly string[];
  tags?: readonly string[];
  projects?: readonly string[];
}

/** A row of `events`; its bodies are frozen here, before the commit. */
export interface EventRow {
  id: string;
  account_id: string;
  type: EventType;
  subject_id: string;
  request_id: string | null;
  /** Up to its gap, if it has one. */
  full_body: string;
  /** What follows the gap; null where there is none. */
  full_rest: string | null;
  thin_body: string;
  states: readonly EventState[] | null;
  created_at: Date;
}

/** Freezes an event. Insert the row with {@link insertEvents} in the statement of the change itself. */
export function eventRow(input: EventInput): EventRow {
  const id = newUuid();
  const head =
    `{"id":"${encodeId('event', id)}","type":"${input.type}","timestamp":"${input.at.toISOString()}",` +
    `"apiVersion":"v1","data":`;
  const actor = input.actor && {
    userId: encodeId('user', input.actor.userId),
    keyId: input.actor.keyId && encodeId('key', input.actor.keyId),
  };
  const tail = `,"actor":${JSON.stringify(actor)},"requestId":${JSON.stringify(input.requestId)}}`;
  const { fullData } = input;
  const full =
    typeof fullData === 'string'
      ? { full_body: head + fullData + tail, full_rest: null }
      : { full_body: head + fullData.before, full_rest: fullData.after + tail };
  return {
    id,
    account_id: input.accountId,
    type: input.type,
    subject_id: input.subjectId,
    request_id: input.requestId,
    ...full,
    thin_body: head + input.thinData + tail,
    states: input.states ?? null,
    created_at: input.at,
  };
}

/** For events without a gap. */
const NO_SUBJECTS = 'SELECT NULL::uuid AS id, NULL::text AS content WHERE false';

/**
 * Inserts event rows given as a JSON array; `placeholder` is the parameter, such as `$2`. The trigger `plan_deliveries`
 * writes the deliveries they owe, so that change, event and deliveries commit together or not at all. `condition` may
 * leave some out, such as events of changes that were not made: `WHERE subject_id IN (SELECT id FROM changed)`.
 * `subjects` is a query of `id` and `content`, for events with a gap: the content of the subject goes there. Ids of one
 * process rise, so that events of one change keep their order.
 */
export const insertEvents = (placeholder: string, condition = '', subjects = NO_SUBJECTS) =>
  `INSERT INTO events (id, account_id, type, subject_id, request_id, full_body, thin_body, states, created_at)
   SELECT event.id, account_id, type, subject_id, request_id, full_body || coalesce(to_json(subject.content)::text || full_rest, ''),
          thin_body, states, created_at
     FROM json_to_recordset(${placeholder}::json) AS event (
       id uuid, account_id uuid, type text, subject_id uuid, request_id text, full_body text, full_rest text, thin_body text,
       states jsonb, created_at timestamptz) LEFT JOIN (${subjects}) AS subject ON subject.id = subject_id
    ${condition}
    ORDER BY event.id`;

/** Commits events with the caller's transaction, for changes of several statements. Events must have no gap. */
export async function emitEvents(database: Database, events: readonly EventRow[]): Promise<void> {
  await database.run(EMIT, [JSON.stringify(events)]);
}

const EMIT: Statement = { name: 'events.emit', text: insertEvents('$1') };
