import { z } from 'zod';
import { ifMatch, type Success } from '../api.js';
import {
  changed,
  changedDocument,
  documentId,
  next,
  TEXT_IS_DATA,
  versionNumber,
  versionSeen,
  type Document,
} from '../schemas.js';
import { defineTool, ToolError } from '../tool.js';

export const publishDocument = defineTool({
  name: 'publish_document',
  title: 'Publish a document',
  description:
    'Makes a version of a document what readers get, such as visitors of a website, until another one is published. Later edits do not change it. Ask the user first.',
  input: z.strictObject({
    id: documentId,
    atVersion: versionNumber
      .optional()
      .describe(
        'The version to publish. An older one is a rollback, and the draft stays as it is. Default: the current version.',
      ),
    version: versionSeen.optional(),
  }),
  output: changedDocument,
  effect: 'changes to the same',
  scopes: ['documents:write'],
  run: async ({ id, atVersion, version }, api) => {
    const response = await api.post<Document>(`/documents/${id}/publish`, {
      body: atVersion === undefined ? {} : { version: atVersion },
      headers: ifMatch(version),
    });
    const published = String(response.data.published?.version);
    return changed(
      response,
      `Readers get version ${published}. read_document with published: true shows it, unpublish_document takes it away from readers.`,
    );
  },
});

export const unpublishDocument = defineTool({
  name: 'unpublish_document',
  title: 'Unpublish a document',
  description:
    'Makes a published document a draft, so that readers no longer get it. Ask the user first.',
  input: z.strictObject({ id: documentId, version: versionSeen.optional() }),
  output: changedDocument,
  effect: 'changes',
  scopes: ['documents:write'],
  run: async ({ id, version }, api) =>
    changed(
      await api.post<Document>(`/documents/${id}/unpublish`, { headers: ifMatch(version) }),
      'Readers no longer get it. publish_document publishes it again.',
    ),
});

interface Release {
  id: string;
  title: string | null;
  status: string;
  publishAt: string | null;
  timeZone: string | null;
  items: { id: string; action: string; version: number | null }[];
}

const shownRelease = z.object({
  id: z.string(),
  title: z.string().nullable().describe('Null for the schedule of this document alone.'),
  status: z.string(),
  publishAt: z.string().nullable().describe('Null: waits until somebody publishes it.'),
  timeZone: z.string().nullable(),
  action: z.string().describe('publish or unpublish.'),
  version: z.int().nullable(),
});

/** Returns what a release does with one of its documents. */
function shown(
  { id, title, status, publishAt, timeZone, items }: Release,
  document: string,
): z.input<typeof shownRelease> {
  const item = items.find((one) => one.id === document);
  const { action = '', version = null } = item ?? {};
  return { id, title, status, publishAt, timeZone, action, version };
}

interface Checks {
  version: number;
  problems: { check: string; issue: string }[];
}

/** Maximum number of releases that the tool returns. */
const MAX_RELEASES = 50;

export const checkPublication = defineTool({
  name: 'check_publication',
  title: 'Check before publishing',
  description: `Returns what publishing a version of a document would find by the rules of the account, and when it will be published or unpublished: its schedule, and the releases of several documents that contain it. Changes nothing. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    id: documentId,
    atVersion: versionNumber
      .optional()
      .describe('The version to check. Default: the current version.'),
  }),
  output: z.object({
    version: z.int(),
    problems: z.array(z.looseObject({ check: z.string(), issue: z.string() })),
    releases: z.array(shownRelease).describe('Open and scheduled ones, by time.'),
    next,
  }),
  effect: 'reads',
  scopes: ['documents:read'],
  run: async ({ id, atVersion }, api) => {
    const path = `/documents/${id}/publication-checks`;
    const { data: checks } = await api.get<Checks>(path, { version: atVersion });
    const { data }: Success<Release[]> = await api.get('/releases', {
      documentId: id,
      status: ['open', 'scheduled'],
      sort: 'publish_at',
      order: 'asc',
      limit: MAX_RELEASES,
    });
    const { version, problems } = checks;
    return {
      version,
      problems,
      releases: data.map((release) => shown(release, id)),
      next:
        problems.length === 0
          ? 'Nothing keeps it from being published. Ask the user before you call publish_document or schedule_document.'
          : 'Resolve the problems first. analyze_document lists the issues, list_suggestions the open suggestions; publish_document orders a missing analysis.',
    };
  },
});

interface Schedule {
  publish: Release | null;
  unpublish: Release | null;
}

const time = z.iso
  .datetime({
    offset: true,
    error: 'must be a time with an offset, such as 2030-01-15T09:00:00+01:00',
  })
  .optional();

export const scheduleDocument = defineTool({
  name: 'schedule_document',
  title: 'Schedule a document',
  description:
    'Sets when a document is published, unpublished, or both. This replaces its schedule, so send both times to keep both. The version is fixed now: later edits stay drafts. Ask the user first, also for their time zone.',
  input: z.strictObject({
    id: documentId,
    publishAt: time.describe('When readers get it, with an offset.'),
    unpublishAt: time.describe('When they no longer get it, with an offset.'),
    atVersion: versionNumber
      .optional()
      .describe('The version to publish. Default: the current version.'),
    timeZone: z
      .string()
      .max(64)
      .optional()
      .describe('In which people see the times, such as Europe/Berlin.'),
    cancel: z.literal(true).optional().describe('Removes the schedule. Send no times then.'),
  }),
  output: z.object({
    publish: shownRelease.nullable(),
    unpublish: shownRelease.nullable(),
    next,
  }),
  effect: 'changes to the same',
  scopes: ['documents:write'],
  run: async ({ id, atVersion, cancel, ...times }, api) => {
    const path = `/documents/${id}/schedule`;
    if (cancel) {
      if (Object.keys(times).length > 0 || atVersion !== undefined)
        throw new ToolError('Send either cancel or times, and call schedule_document again.');
      await api.delete(path);
      return { publish: null, unpublish: null, next: 'The document has no schedule any more.' };
    }
    const body = { ...times, ...(atVersion !== undefined && { version: atVersion }) };
    const { data } = await api.put<Schedule>(path, { body });
    return {
      publish: data.publish && shown(data.publish, id),
      unpublish: data.unpublish && shown(data.unpublish, id),
      next: 'Tell the user the times. check_publication shows what would refuse the version then, schedule_document with cancel: true removes the schedule.',
    };
  },
});
