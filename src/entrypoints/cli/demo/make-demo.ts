import type { INestApplicationContext } from '@nestjs/common';
import { AccountsRepository } from '../../../features/auth/accounts/accounts.repository.js';
import { normalizeEmail } from '../../../features/auth/accounts/email-address.js';
import type { Account } from '../../../features/auth/accounts/account.js';
import { systemContext, type RequestContext } from '../../../features/auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import type { Config } from '../../../platform/config/config.js';
import { createApp } from '../../boot/configure-app.js';
import { TestReceiversService } from '../../../features/dashboard/receivers/test-receivers.service.js';
import type { ProposeChangesDto } from '../../../features/analysis/proposals/proposals.dto.js';
import { CollectionsRepository } from '../../../features/collections/collections.repository.js';
import { CollectionsService } from '../../../features/collections/collections.service.js';
import { ProposalsService } from '../../../features/analysis/proposals/proposals.service.js';
import { patchedFields } from '../../../features/documents/changes/apply-patch.js';
import { DocumentChangesService } from '../../../features/documents/changes/document-changes.service.js';
import { DocumentTrashService } from '../../../features/documents/changes/document-trash.service.js';
import type { DocumentFields } from '../../../features/documents/model/document-fields.js';
import { DocumentsService } from '../../../features/documents/documents.service.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { PublishingSettingsService } from '../../../features/documents/publishing/publishing-settings.service.js';
import { KeysService } from '../../../features/keys/keys.service.js';
import { createLog } from '../../../platform/operation/log.js';
import { UnverifiedUsersService } from '../../../features/people/sessions/users/unverified-users.service.js';
import { ReleasesService } from '../../../features/releases/releases.service.js';
import type { ThreadModule } from '../../../platform/threads/thread-task.js';
import { WebhooksService } from '../../../features/webhooks/webhooks.service.js';
import { demoDocuments, type DemoDocument } from './demo-documents.js';

/** Age of the first document. */
const DAYS = 28;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Time between two changes of a document. */
const MINUTE_MS = 60_000;

/** Collections, by the department of their documents. Only owners and admins see the last one. */
const FOLDERS = [
  { name: 'Engineering', access: null },
  { name: 'Product', access: null },
  { name: 'Finance', access: { everyone: null, people: [] } },
];

/** Names below .invalid never resolve (RFC 6761). */
const DEAD_RECEIVER = 'https://crm.demo.invalid/document-events';
const OFF_RECEIVER = 'https://search.demo.invalid/document-events';

/** Refuses drafts with proposals. */
const RULES = [{ checks: { openSuggestions: 0 }, override: 'admin' as const }];

/** Days until the release is published. */
const RELEASE_DAYS = 7;

interface DemoOptions {
  email: string;
  documents: number;
  /** Origin of the service, for the webhook with a test receiver. */
  origin: string;
  /** True to verify the owner's address, which renames an unverified user. */
  vouch: boolean;
}

export interface Demo {
  account: Account;
  /** Shown only once. */
  key: string;
  /** False if test receivers are off and nothing receives the deliveries. */
  received: boolean;
}

/**
 * Creates an account on the plan Pro, which publishes by a rule and has a scheduled release, if the email address is new.
 * Fills the account with documents of the last four weeks in three collections and at the root, a webhook with a test
 * receiver, and a webhook without a receiver. The workers of the service deliver the events. `config` is for an API
 * process, which does not listen here. Throws `conflict` for an unverified owner.
 */
export async function makeDemo(
  config: Config,
  jobThread: ThreadModule,
  { email, documents, origin, vouch }: DemoOptions,
): Promise<Demo> {
  const app = await createApp(config, createLog('fatal'), jobThread);
  try {
    const accounts = app.get(AccountsRepository, { strict: false });
    const unverified = app.get(UnverifiedUsersService, { strict: false });
    await unverified.require(normalizeEmail(email), vouch);
    const owner = { email, name: 'Demo', plan: 'pro' } as const;
    const { account, created } = await accounts.findOrCreateByEmail(owner);
    // Someone may have signed up with the address in the meantime.
    await unverified.require(account.owner.email, false);
    const context = systemContext('operator', account.id, account.owner);
    const request = { name: 'Demo', scopes: ['*' as const] };
    const { key } = await app.get(KeysService, { strict: false }).create(request, context);
    // Documents of an existing account are not published without its owner.
    if (created) {
      const publishing = app.get(PublishingSettingsService, { strict: false });
      await publishing.change({ enabled: true, rules: RULES }, context);
    }
    const received = config.testReceivers;
    const url = received ? await testReceiver(app, account.id, origin) : OFF_RECEIVER;
    await registerWebhooks(app, url, context);
    const ready = await writeDocuments(app, documents, context);
    if (created && ready.length > 0) await scheduleRelease(app, ready, context);
    return { account, key, received };
  } finally {
    await app.close();
  }
}

async function testReceiver(
  app: INestApplicationContext,
  accountId: string,
  origin: string,
): Promise<string> {
  const { url } = await app.get(TestReceiversService, { strict: false }).create(accountId, origin);
  return url;
}

async function registerWebhooks(
  app: INestApplicationContext,
  url: string,
  context: RequestContext,
): Promise<void> {
  const webhooks = app.get(WebhooksService, { strict: false });
  await webhooks.register(
    {
      url,
      events: ['document.archived', 'document.deleted'],
      payload: 'thin',
      description: 'Search index',
    },
    context,
  );
  await webhooks.register(
    {
      url: DEAD_RECEIVER,
      events: ['document.published'],
      payload: 'full',
      description: 'CRM, which does not respond',
    },
    context,
  );
}

/** Returns the IDs of documents for a release: one with unpublished changes and one that the rule refuses. */
async function writeDocuments(
  app: INestApplicationContext,
  count: number,
  context: RequestContext,
): Promise<string[]> {
  const clock = app.get(Clock);
  const now = clock.now();
  const begun = now.getTime() - DAYS * DAY_MS;
  const folders = await makeFolders(app, context);
  const proposals = [...PROPOSALS];
  const unpublished = [...UNPUBLISHED_CHANGES];
  let changed: string | undefined;
  let proposed: string | undefined;
  for (const [position, document] of demoDocuments(count).entries()) {
    // This process uses this clock for everything. The service's processes have their own.
    let time = begun + (position / count) * DAYS * DAY_MS;
    clock.now = () => new Date((time += MINUTE_MS));
    const collectionId = folders.get(document.metadata.department) ?? null;
    const id = await writeDocument(app, { ...document, collectionId }, context);
    if (document.inTrash) continue;
    const status = document.statuses.at(-1) ?? 'draft';
    if (status === 'published') {
      const change = unpublished.pop();
      if (change === undefined) continue;
      const [text = document.content] = document.edits.slice(-1);
      await changeDocument(app, id, { content: `${text}${change}` }, context);
      changed = id;
    } else if (status !== 'archived' && proposals.length > 0) {
      await propose(app, id, proposals.pop(), context);
      proposed = id;
    }
  }
  clock.now = () => now;
  return [changed, proposed].filter((id) => id !== undefined);
}

/** Schedules a release of documents, at nine o'clock in Berlin in winter. */
async function scheduleRelease(
  app: INestApplicationContext,
  ids: readonly string[],
  context: RequestContext,
): Promise<void> {
  const publishAt = new Date(app.get(Clock).now().getTime() + RELEASE_DAYS * DAY_MS);
  publishAt.setUTCHours(8, 0, 0, 0);
  const body = {
    title: 'News of the week',
    publishAt: publishAt.toISOString(),
    timeZone: 'Europe/Berlin',
    items: ids.map((id) => ({ id, action: 'publish' as const })),
  };
  await app.get(ReleasesService, { strict: false }).create(body, context);
}

/** Creates the collections that the account does not have yet. Returns their IDs by name. */
async function makeFolders(
  app: INestApplicationContext,
  context: RequestContext,
): Promise<Map<string, string>> {
  const { accountId } = context.principal;
  const existing = await app.get(CollectionsRepository, { strict: false }).all(accountId);
  const ids = new Map<string, string>();
  for (const folder of FOLDERS) {
    const { id } =
      existing.find(({ name }) => name === folder.name) ??
      (await app.get(CollectionsService, { strict: false }).create(folder, context));
    ids.set(folder.name, encodeId('collection', id));
  }
  return ids;
}

/** Proposals for the first two documents that were never published, in reverse order. */
const PROPOSALS: readonly ProposeChangesDto[] = [
  { title: 'Reviewed draft', message: 'A title that says what has changed.' },
  {
    edits: [{ start: 0, end: 0, replacement: 'Summary: see the last section.\n\n' }],
    message: 'Leads readers to the result.',
  },
];

/** Text that is added to the first published document, after its publication. */
const UNPUBLISHED_CHANGES = ['\n\nReviewed again. The figures of the next quarter follow.\n'];

async function propose(
  app: INestApplicationContext,
  id: string,
  body: ProposeChangesDto | undefined,
  context: RequestContext,
): Promise<void> {
  if (body) await app.get(ProposalsService, { strict: false }).propose(id, body, context);
}

async function writeDocument(
  app: INestApplicationContext,
  document: DemoDocument & { collectionId: string | null },
  context: RequestContext,
): Promise<string> {
  const documents = app.get(DocumentsService, { strict: false });
  const { edits, statuses, inTrash, ...body } = document;
  const created = await documents.create(body, context);
  const id = encodeId('document', created.document.id);
  const patches = [
    ...edits.map((edited) => ({ content: edited })),
    ...statuses.map((status) => ({ status })),
  ];
  for (const patch of patches) await changeDocument(app, id, patch, context);
  const target = { id, preconditions: {} };
  if (inTrash) await app.get(DocumentTrashService, { strict: false }).delete(target, context);
  return id;
}

async function changeDocument(
  app: INestApplicationContext,
  id: string,
  patch: Partial<Pick<DocumentFields, 'content' | 'status'>>,
  context: RequestContext,
): Promise<void> {
  const changes = app.get(DocumentChangesService, { strict: false });
  const target = { id, preconditions: {} };
  await changes.change(target, context, { fieldsFor: (before) => patchedFields(before, patch) });
}
