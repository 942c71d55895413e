import { encodeId, newUuid } from '../../platform/basics/identifiers/identifiers.js';
import type { Actor } from '../auth/principal.js';
import type { EventType } from './catalogue/catalogue.js';
import type { EventState } from './event-states.js';

/** JSON text with a gap. The inserting statement fills it with the subject's content as a JSON string. */
interface TextWithGap {
  before: string;
  after: string;
}

export interface EventInput {
  type: EventType;
  accountId: string;
  /** UUID of the resource that the event is about. */
  subjectId: string;
  at: Date;
  /** `null` if the service itself caused the event. */
  actor: Actor | null;
  /** `null` if no request caused the event. */
  requestId: string | null;
  /** JSON text of `data`, as webhooks with `payload: "full"` receive it. */
  fullData: string | TextWithGap;
  /** JSON text of `data` without content, for `payload: "thin"`. */
  thinData: string;
  /** The document before and after the change, for webhook filters. Missing if the event is not about a document. */
  states?: readonly EventState[];
}

/** A row of `events`. Its bodies are frozen before the commit. */
export interface EventRow {
  id: string;
  account_id: string;
  type: EventType;
  subject_id: string;
  request_id: string | null;
  /** The text up to its gap, if it has one. */
  full_body: string;
  /** The text after the gap; null without a gap. */
  full_rest: string | null;
  thin_body: string;
  states: readonly EventState[] | null;
  created_at: Date;
}

/** Freezes an event. Insert the row with {@link insertEvents}, in the statement of the change itself. */
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

/** The subjects of events without a gap. */
const NO_SUBJECTS = 'SELECT NULL::uuid AS id, NULL::text AS content WHERE false';

/**
 * Returns SQL that inserts event rows from a JSON array; `placeholder` is its parameter, such as `$2`. The trigger
 * `plan_deliveries` inserts their deliveries, so change, event and deliveries commit together or not at all. A trigger costs
 * no more than a part of the statement would (×1.01). `condition` excludes events, such as those of changes that did not happen: `WHERE subject_id IN (SELECT id FROM changed)`.
 * `subjects` is a query of `id` and `content` that fills the gaps. IDs from one process increase, so the events of a
 * change keep their order.
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
