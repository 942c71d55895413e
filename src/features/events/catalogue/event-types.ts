import type { SchemaObject } from '@nestjs/swagger';
import {
  idSchema,
  KEPT_TEXT,
  MAX_INT32,
  sampleId,
  timestampSchema,
} from '../../../platform/openapi/schemas.js';
import { CHANGED_FIELDS, EVENT_STATUSES } from '../event-states.js';
import { EVENT_TYPES, type EventType } from './catalogue.js';

/** The description of an event type, for receivers. */
export interface EventTypeDescription {
  type: EventType;
  description: string;
  /** Name of the schema of its payload in the API document. */
  schema: string;
  /**
   * An example of a full payload. test/events/event-payloads.e2e-spec.ts compares its form with a delivered one. It is
   * not called `example`, because API linters would take that for an OpenAPI example next to `schema`.
   */
  payload: Record<string, unknown>;
}

/** The `data` of an event. */
interface EventData {
  description: string;
  /** The resource that `data` contains; missing if `data` has only the members of `beside`. */
  about?: 'document' | 'collection' | 'release' | 'webhook';
  /** True if the service itself causes the event. */
  bySystem?: boolean;
  /** Members of the example's resource that this event changes. */
  resource?: Record<string, unknown>;
  /** Additional members of `data`: the schema and example of each. */
  beside?: Record<string, readonly [schema: SchemaObject, example: unknown]>;
  /** Optional members of `data`, with their schemas. */
  sometimes?: Record<string, SchemaObject>;
}

const TIME = '2026-11-20T08:00:00.000Z';
const LATER = '2026-11-21T09:30:00.000Z';

const CHANGES: SchemaObject = {
  type: 'array',
  maxItems: CHANGED_FIELDS.length,
  items: {
    type: 'string',
    enum: [...CHANGED_FIELDS],
  },
  description: 'The fields that changed.',
};
const STATUS: SchemaObject = {
  type: 'string',
  enum: [...EVENT_STATUSES],
};
const VERSION: SchemaObject = {
  type: 'integer',
  format: 'int32',
  minimum: 1,
  maximum: MAX_INT32,
};
const PUBLISHED: SchemaObject = {
  type: 'object',
  required: ['version', 'number', 'releaseId'],
  description: 'The publication. Only if publishing is on.',
  properties: {
    version: VERSION,
    number: {
      ...VERSION,
      description:
        'Counts the publications of the document, because versions fall after a rollback.',
    },
    releaseId: {
      anyOf: [idSchema('release'), { type: 'null' }],
      description: 'The release that published or unpublished it. Null without one.',
    } as SchemaObject,
  },
};
const PUBLISHED_NOW: SchemaObject = {
  ...PUBLISHED,
  properties: {
    ...PUBLISHED.properties,
    override: {
      type: 'boolean',
      enum: [true],
      description:
        'Only if it was published despite its problems. The audit log has the reason and the problems.',
    },
  },
};
const COUNT: SchemaObject = { ...VERSION, minimum: 0 };
const AMOUNT: SchemaObject = {
  type: 'integer',
  format: 'int64',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
};
const COUNTS: SchemaObject = { type: 'object', additionalProperties: COUNT };

function scored(): SchemaObject {
  const overall = { type: 'number', format: 'double', minimum: 0, maximum: 100 };
  return {
    type: 'object',
    required: ['version', 'overall'],
    properties: { version: VERSION, overall },
  };
}

const moved = (from: string, to: string): EventData['beside'] => ({
  changes: [CHANGES, ['status']],
  from: [STATUS, from],
  to: [STATUS, to],
});
const CHANGED = { version: 2, updatedAt: LATER };
/** A document in the example of a release. */
const RELEASED = {
  id: sampleId('document'),
  action: 'publish',
  version: 2,
  outcome: null,
  problems: [],
};

const EVENTS: Readonly<Record<EventType, EventData>> = {
  'document.created': { description: 'A document was created or imported.', about: 'document' },
  'document.updated': {
    description:
      'The title, content, type, metadata, AI settings, status or collection of a document changed: by a request, by edits, by applied suggestions, or by restoring a version.',
    about: 'document',
    resource: { ...CHANGED, title: 'Quarterly report, final' },
    beside: { changes: [CHANGES, ['title']] },
    sometimes: {
      origin: { $ref: '#/components/schemas/VersionOriginDto' } as SchemaObject,
    },
  },
  'document.status_changed': {
    description: 'The status of a document changed. Sent after `document.updated`.',
    about: 'document',
    resource: { ...CHANGED, status: 'in_review' },
    beside: moved('draft', 'in_review'),
  },
  'document.published': {
    description:
      'A document was published. Sent after `document.status_changed`. If publishing is on, it contains the published version, and is also sent if a published document gets another version: then `changes` is empty.',
    about: 'document',
    resource: { ...CHANGED, status: 'published' },
    beside: moved('draft', 'published'),
    sometimes: { published: PUBLISHED_NOW },
  },
  'document.unpublished': {
    description:
      'Readers no longer get a document, which it contains as they got it. Only if publishing is on.',
    about: 'document',
    resource: { ...CHANGED, status: 'published' },
    beside: { published: [PUBLISHED, { version: 2, number: 1, releaseId: null }] },
  },
  'document.archived': {
    description: 'A document was archived. Sent after `document.status_changed`.',
    about: 'document',
    resource: { ...CHANGED, status: 'archived' },
    beside: moved('published', 'archived'),
  },
  'document.deleted': {
    description: 'A document was moved to the trash or permanently deleted.',
    about: 'document',
  },
  'document.restored': {
    description: 'A document was restored from the trash.',
    about: 'document',
  },
  'document.analyzed': {
    description: 'An analysis of a document is complete.',
    about: 'document',
    beside: {
      analysis: [
        {
          type: 'object',
          required: ['id', 'documentVersion', 'language', 'scores', 'issueCounts'],
          description:
            'A summary of the analysis; `GET /v1/documents/{id}/analyses/{analysisId}` returns all of it.',
          properties: {
            id: idSchema('analysis') as SchemaObject,
            documentVersion: VERSION,
            language: { type: 'string', maxLength: 35, pattern: '^[A-Za-z0-9-]+$' },
            scores: { $ref: '#/components/schemas/ScoresDto' } as SchemaObject,
            issueCounts: COUNTS,
          },
        },
        {
          id: sampleId('analysis'),
          documentVersion: 1,
          language: 'en',
          scores: { overall: 84, correctness: 88, clarity: 79, engagement: 81 },
          issueCounts: { error: 1, warning: 0, style: 2 },
        },
      ],
    },
  },
  'document.enhanced': {
    description: 'An enhancement of a document is complete: its suggestions are available.',
    about: 'document',
    beside: {
      enhancement: [
        {
          type: 'object',
          required: [
            'id',
            'baseVersion',
            'goals',
            'automatic',
            'suggestions',
            'bySeverity',
            'byCategory',
          ],
          description: 'A summary of the enhancement.',
          properties: {
            id: idSchema('enhancement') as SchemaObject,
            baseVersion: { ...VERSION, description: 'The version that was enhanced.' },
            goals: {
              type: 'array',
              maxItems: 20,
              items: { type: 'string', maxLength: 20, pattern: '^[a-z_]+$' },
            },
            automatic: {
              type: 'boolean',
              description: 'Whether `aiSettings.autoEnhance` started it.',
            },
            suggestions: { ...COUNT, description: 'The number of suggestions.' },
            bySeverity: COUNTS,
            byCategory: COUNTS,
          },
        },
        {
          id: sampleId('enhancement'),
          baseVersion: 1,
          goals: ['correct'],
          automatic: false,
          suggestions: 2,
          bySeverity: { error: 2 },
          byCategory: { spelling: 2 },
        },
      ],
    },
  },
  'document.quality_dropped': {
    description:
      'The overall score of a document fell by more than the account allows (`qualityDrop` of the analysis settings).',
    about: 'document',
    resource: CHANGED,
    beside: {
      analysisId: [idSchema('analysis'), sampleId('analysis')],
      from: [scored(), { version: 1, overall: 84 }],
      to: [scored(), { version: 2, overall: 61 }],
    },
  },
  'proposal.created': {
    description: 'A person or a program proposed changes to a document.',
    about: 'document',
    beside: {
      proposal: [
        {
          type: 'object',
          required: ['id', 'baseVersion', 'suggestions'],
          description:
            'A summary of the proposal; `GET /v1/documents/{id}/enhancements/{enhancementId}` returns all of it.',
          properties: {
            id: idSchema('enhancement') as SchemaObject,
            baseVersion: { ...VERSION, description: 'The version that was changed.' },
            message: {
              anyOf: [{ type: 'string', maxLength: 1_000, pattern: KEPT_TEXT }, { type: 'null' }],
              description: 'Missing in thin payloads and after a permanent deletion.',
            } as unknown as SchemaObject,
            suggestions: {
              ...COUNT,
              description: 'The number of suggestions and field changes.',
            },
          },
        },
        {
          id: sampleId('enhancement'),
          baseVersion: 1,
          message: 'Corrects the figures of July.',
          suggestions: 2,
        },
      ],
    },
  },
  'proposal.decided': {
    description:
      'No change of a proposal is open any more: all were accepted, rejected or withdrawn, or no longer apply.',
    about: 'document',
    resource: CHANGED,
    beside: {
      proposal: [
        {
          type: 'object',
          required: ['id', 'accepted', 'rejected', 'stale', 'withdrawn'],
          properties: {
            id: idSchema('enhancement') as SchemaObject,
            accepted: COUNT,
            rejected: COUNT,
            stale: COUNT,
            withdrawn: { type: 'boolean', description: 'True if its sender withdrew it.' },
          },
        },
        { id: sampleId('enhancement'), accepted: 1, rejected: 1, stale: 0, withdrawn: false },
      ],
    },
  },
  'collection.created': { description: 'A collection was created.', about: 'collection' },
  'collection.updated': {
    description: 'A collection was renamed or moved. The documents in it do not change.',
    about: 'collection',
    resource: { ...CHANGED, name: 'Quarterly reports' },
    beside: {
      changes: [
        {
          type: 'array',
          maxItems: 2,
          items: { type: 'string', enum: ['name', 'parentId'] },
          description: 'The fields that changed.',
        },
        ['name'],
      ],
    },
  },
  'collection.deleted': { description: 'An empty collection was deleted.', about: 'collection' },
  'collection.access_changed': {
    description: 'The own access of a collection was set, changed or removed.',
    about: 'collection',
    resource: { ...CHANGED, isRestricted: true },
  },
  'release.published': {
    description:
      'A release was published. Sent after the events of its documents. Only callers who see all documents of the account can read it.',
    about: 'release',
    resource: {
      status: 'published',
      items: [{ ...RELEASED, outcome: 'published' }],
      version: 2,
      updatedAt: LATER,
      finishedAt: LATER,
    },
  },
  'release.failed': {
    description:
      'A scheduled release failed, and nothing was published: a document was refused, or the release was 24 hours late. Only callers who see all documents of the account can read it.',
    about: 'release',
    bySystem: true,
    resource: {
      status: 'failed',
      items: [
        {
          ...RELEASED,
          problems: [
            {
              check: 'status',
              issue: 'A document cannot go from archived to published. It can go to draft.',
            },
          ],
        },
      ],
      version: 2,
      updatedAt: LATER,
      finishedAt: LATER,
    },
  },
  'usage.threshold_reached': {
    description:
      'The account or a key has used 80 or 100 percent of a limit: requests per hour or day, or a quota. Sent once per window, and at most once a day (UTC) for quotas without one.',
    beside: {
      limit: [{ type: 'string', maxLength: 40, pattern: '^[A-Za-z]+$' }, 'requests'],
      window: [
        {
          type: ['string', 'null'],
          enum: ['hour', 'day', null],
          description: 'Null for quotas that count what the account has.',
        },
        'day',
      ],
      threshold: [
        { type: 'integer', format: 'int32', minimum: 80, maximum: 100, enum: [80, 100] },
        80,
      ],
      used: [AMOUNT, 800],
      of: [{ ...AMOUNT, description: 'The limit.' }, 1_000],
      key: [
        {
          anyOf: [
            {
              type: 'object',
              required: ['id', 'name'],
              properties: {
                id: idSchema('key') as SchemaObject,
                name: { type: 'string', maxLength: 200, pattern: KEPT_TEXT },
              },
            },
            { type: 'null' },
          ],
          description: 'The key whose own limit it is. Null for limits of the account.',
        },
        { id: sampleId('key'), name: 'Build server' },
      ],
      resetAt: [
        {
          anyOf: [timestampSchema(), { type: 'null' }],
          description: 'When the window ends. Null without a window.',
        },
        '2026-11-21T18:04:10.512Z',
      ],
    },
  },
  'webhook.test': {
    description: 'A webhook is tested. Sent only to that webhook, whatever events it listens to.',
    about: 'webhook',
  },
  'webhook.disabled': {
    description:
      'A webhook was disabled: on request, because its receiver returned 410, or after 5 days without a success. Sent to the other webhooks that listen to it.',
    about: 'webhook',
    resource: {
      status: 'disabled',
      disabledReason: 'It was disabled on request. Change its status to active to send again.',
      disabledAt: LATER,
      updatedAt: LATER,
    },
  },
};

const RESOURCES = {
  document: {
    id: sampleId('document'),
    title: 'Quarterly report',
    type: 'report',
    content: '# Results\n\nRevenue grew by 12 %.',
    status: 'draft',
    metadata: { tags: ['finance', 'q3'], department: 'Sales', project: 'Apollo' },
    aiSettings: { autoEnhance: false, suggestionLevel: 'medium', language: 'en' },
    templateId: null,
    externalId: null,
    collectionId: null,
    wordCount: 5,
    version: 1,
    createdAt: TIME,
    updatedAt: TIME,
    createdBy: { id: sampleId('user'), name: 'Ada Lovelace', email: 'ada@example.com' },
    updatedBy: { id: sampleId('user'), name: 'Ada Lovelace', email: 'ada@example.com' },
  },
  collection: {
    id: sampleId('collection'),
    name: 'Reports',
    parentId: null,
    isRestricted: false,
    version: 1,
    createdAt: TIME,
    updatedAt: TIME,
  },
  release: {
    id: sampleId('release'),
    title: 'Autumn campaign',
    status: 'scheduled',
    publishAt: LATER,
    timeZone: 'Europe/Berlin',
    items: [RELEASED],
    hiddenItems: 0,
    version: 1,
    createdBy: { id: sampleId('user'), name: 'Ada Lovelace', email: 'ada@example.com' },
    updatedBy: { id: sampleId('user'), name: 'Ada Lovelace', email: 'ada@example.com' },
    createdAt: TIME,
    updatedAt: TIME,
    finishedAt: null,
  },
  webhook: {
    id: sampleId('webhook'),
    url: 'https://example.com/webhooks',
    events: ['document.created', 'document.updated'],
    payload: 'full',
    status: 'active',
    description: 'Search index',
    secretPreview: 'JYtw',
    headers: {},
    filter: null,
    disabledReason: null,
    disabledAt: null,
    failingSince: null,
    nextProbeAt: null,
    lastDeliveryAt: null,
    createdAt: TIME,
    updatedAt: TIME,
  },
};

/** `document.status_changed` has the schema `DocumentStatusChangedEvent`. */
function schemaNameOf(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

/** All event types, as `GET /v1/event-types` returns them. */
export const EVENT_TYPE_DESCRIPTIONS: readonly EventTypeDescription[] = EVENT_TYPES.map((type) => ({
  type,
  description: EVENTS[type].description,
  schema: schemaNameOf(type),
  payload: exampleOf(type, EVENTS[type]),
}));

function exampleOf(type: EventType, { about, resource, beside = {}, bySystem = false }: EventData) {
  const isRequested = about !== undefined && !bySystem;
  const members = Object.entries(beside).map(([name, [, example]]) => [name, example] as const);
  return {
    id: sampleId('event'),
    type,
    timestamp: resource ? LATER : TIME,
    apiVersion: 'v1',
    data: {
      ...(about && { [about]: { ...RESOURCES[about], ...resource } }),
      ...Object.fromEntries(members),
    },
    actor: isRequested ? { userId: sampleId('user'), keyId: sampleId('key') } : null,
    requestId: isRequested ? sampleId('request') : null,
  };
}

/** Returns the example of `data` with a reference to the document, as in lists. Complete examples repeat the document. */
function shortExampleOf({ about, resource, beside = {} }: EventData) {
  const whole = { ...(about && RESOURCES[about]), ...resource };
  const { id, type, status, version } = whole as (typeof RESOURCES)['document'];
  return {
    ...(about && { [about]: about === 'document' ? { id, type, status, version } : whole }),
    ...Object.fromEntries(Object.entries(beside).map(([name, [, example]]) => [name, example])),
  };
}

/** Schemas of the resources. A document is complete, without large content, or a reference. */
const SCHEMA_OF: Readonly<Record<keyof typeof RESOURCES, SchemaObject>> = {
  document: {
    title: 'EventDocument',
    anyOf: ['DocumentDto', 'DocumentWithoutContentDto', 'DocumentReferenceDto'].map((name) => ({
      $ref: `#/components/schemas/${name}`,
    })),
  },
  collection: { $ref: '#/components/schemas/EventCollectionDto' } as SchemaObject,
  release: { $ref: '#/components/schemas/ReleaseDto' } as SchemaObject,
  webhook: { $ref: '#/components/schemas/WebhookDto' } as SchemaObject,
};

/** The schemas of all payloads by name. */
export const EVENT_SCHEMAS: Readonly<Record<string, SchemaObject>> = Object.fromEntries(
  EVENT_TYPES.map((type) => [schemaNameOf(type), schemaOf(type, EVENTS[type])]),
);

/** Of a permanently deleted document, only the reference is left. Other members of `data` remain. */
function schemaOf(type: EventType, event: EventData): SchemaObject {
  const { about, beside = {}, sometimes = {} } = event;
  const members = Object.entries(beside).map(([name, [schema]]) => [name, schema] as const);
  return {
    allOf: [
      { $ref: '#/components/schemas/EventDto' },
      {
        required: ['type', 'data'],
        properties: {
          type: { type: 'string', enum: [type] },
          data: {
            type: 'object',
            required: [...(about ? [about] : []), ...Object.keys(beside)],
            properties: {
              ...(about && { [about]: SCHEMA_OF[about] }),
              ...Object.fromEntries(members),
              ...sometimes,
            },
            example: shortExampleOf(event),
          },
        },
      },
    ],
  };
}
