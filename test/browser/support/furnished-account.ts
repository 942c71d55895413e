import { decodeId } from '../../../src/platform/basics/identifiers/identifiers.js';
import { eventually } from '../../support/eventually.js';
import type { DashboardUnderTest, Visitor } from './dashboard.js';

const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihung'.repeat(3);
const LONG_TITLE = `A quarterly report about harbors, ferries and lighthouses of ${'the northern coast '.repeat(12)}`;
const TEXT = `# Harbor\n\nThe harbour master, who utilize cranes, have recieved ${LONG_WORD}.\n\n| a | b |\n|---|---|\n| ${LONG_WORD} | 2 |\n\n\`\`\`\n${LONG_WORD}\n\`\`\`\n`;
/** The maximum length of a variable name. */
const LONG_NAME = 'v'.repeat(40);
const LONG_PATH = `hooks/${'a-very-long-path-segment-'.repeat(20)}`;

export interface FurnishedAccount extends Visitor {
  origin: string;
  ids: Record<
    | 'document'
    | 'published'
    | 'trashed'
    | 'template'
    | 'key'
    | 'endedKey'
    | 'app'
    | 'serviceAccount'
    | 'webhook'
    | 'testWebhook'
    | 'received'
    | 'delivery'
    | 'event'
    | 'request'
    | 'failedRequest'
    | 'entry'
    | 'job'
    | 'member',
    string
  >;
  /** A person in the account with a lower role than the owner. */
  colleague: Visitor;
}

interface Row {
  id: string;
  [field: string]: unknown;
}

/** Creates an account with content on every page, including long words, titles and addresses. */
export async function furnishedAccount(dashboard: DashboardUnderTest): Promise<FurnishedAccount> {
  const { origin, dataSource } = dashboard.app;
  const owner = await dashboard.visitor(`Olga ${LONG_WORD}`.slice(0, 100));
  const colleague = await dashboard.visitor('Carl Colleague');
  const account = `/dashboard/api/accounts/${owner.accountId}`;
  const ask = async <Data>(method: string, path: string, data?: unknown): Promise<Data> => {
    const response = await owner.context.request.fetch(`${origin}${account}${path}`, {
      method,
      headers: { Origin: origin, 'X-Dashboard-Request': '1' },
      ...(data !== undefined && { data }),
    });
    if (!response.ok()) throw new Error(`${method} ${path}: ${await response.text()}`);
    return ((await response.json()) as { data: Data }).data;
  };
  const make = (path: string, data: unknown = {}) => ask<Row>('POST', `/v1/${path}`, data);
  const listed = (path: string) => ask<Row[]>('GET', `/v1/${path}`);
  const firstOf = (path: string) =>
    eventually(
      () => listed(path),
      ([row]) => row !== undefined,
    ).then(([row]) => row?.id ?? '');

  const [{ user_id: member } = { user_id: '' }] = await dataSource.query<{ user_id: string }[]>(
    `INSERT INTO members (account_id, user_id, role, created_at)
     SELECT $1, user_id, 'member', now() FROM members WHERE account_id = $2
     RETURNING 'user_' || user_id AS user_id`,
    [decodeId('account', owner.accountId), decodeId('account', colleague.accountId)],
  );
  const receiver = await ask<{ url: string }>('POST', '/receivers');
  const testWebhook = await make('webhooks', { url: receiver.url, events: ['*'] });
  const webhook = await make('webhooks', {
    url: `http://127.0.0.1:9/${LONG_PATH}`,
    events: ['document.created', 'document.updated', 'document.published', 'webhook.test'],
    description: LONG_WORD,
    headers: { 'X-Long': 'x'.repeat(200) },
    filter: { tags: [LONG_WORD.slice(0, 150)] },
  });
  const delivery = await make(`webhooks/${webhook.id}/test`);
  await make(`webhooks/${testWebhook.id}/test`);
  const document = await make('documents', {
    title: LONG_TITLE.slice(0, 400),
    content: TEXT,
    metadata: { tags: ['harbor', LONG_WORD.slice(0, 60)], [LONG_WORD.slice(0, 60)]: LONG_WORD },
  });
  await ask('PATCH', `/v1/documents/${document.id}`, { content: `${TEXT}\nOne more line.` });
  await make('documents', { title: LONG_WORD, content: 'A lighthouse.' });
  await ask('PUT', '/v1/publishing', { enabled: true });
  const published = await make('documents', { title: LONG_TITLE.slice(0, 300), content: TEXT });
  await make(`documents/${published.id}/publish`);
  await ask('PATCH', `/v1/documents/${published.id}`, { content: `${TEXT}\nNot published yet.` });
  const trashed = await make('documents', { title: `Trashed ${LONG_WORD}`, content: 'Gone.' });
  await ask('DELETE', `/v1/documents/${trashed.id}`);
  const template = await make('templates', {
    name: LONG_WORD.slice(0, 180),
    description: LONG_TITLE,
    content: `Dear {{name}} {{${LONG_NAME}}}`,
    variables: [{ name: 'name' }, { name: LONG_NAME }],
  });
  await ask('PATCH', `/v1/templates/${template.id}`, { content: `Hello {{name}}, ${LONG_WORD}` });
  const key = await make('keys', {
    name: `Key ${LONG_WORD}`.slice(0, 100),
    scopes: ['documents:read', 'documents:write', 'webhooks:read', 'events:read', 'usage:read'],
    allowedIps: ['127.0.0.1/32', '2001:db8:1234:5678:9abc:def0:1234:5678/128'],
  });
  const endedKey = await make('keys', { name: 'Ended', scopes: ['usage:read'] });
  await ask('DELETE', `/v1/keys/${endedKey.id}`);
  const app = await make('keys', {
    name: `App ${LONG_WORD}`.slice(0, 100),
    scopes: ['usage:read'],
  });
  await dataSource.query('UPDATE api_keys SET client = $2 WHERE id = $1', [
    decodeId('key', app.id),
    { id: `dyn.${LONG_PATH}`, name: `App ${LONG_WORD}`.slice(0, 100), host: null },
  ]);
  const serviceAccount = await make('service-accounts', {
    name: LONG_WORD.slice(0, 100),
    role: 'member',
  });
  await ask('POST', '/invitations', { email: `${'x'.repeat(60)}@example.com`, role: 'member' });
  const rule = {
    kind: 'replacement',
    severity: 'warning',
    from: ['utilize'],
    to: LONG_WORD.slice(0, 190),
  };
  await make('style-rules', {
    rules: [{ id: 'plain-words', message: LONG_TITLE.slice(0, 190), ...rule }],
  });
  await make('style-rules/1/activate');
  await make('dictionary/add', { words: [LONG_WORD.slice(0, 80), 'harbour'] });
  const job = await make('account/export');
  await make(`documents/${document.id}/analyze`);

  const asKey = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${origin}/v1/${path}`, {
      ...init,
      headers: {
        Authorization: `Bearer ${String(key['key'])}`,
        'Content-Type': 'application/json',
      },
    });
    return ((await response.json()) as { meta: { requestId: string } }).meta.requestId;
  };
  const request = await asKey(`documents?q=${LONG_WORD}&limit=5`);
  const failedRequest = await asKey('documents', { method: 'POST', body: '{"title":7,"type":[]}' });
  for (const id of [request, failedRequest]) {
    await eventually(
      () => owner.context.request.get(`${origin}${account}/v1/requests/${id}`),
      (response) => response.ok(),
    );
  }
  const [testReceiver] = await ask<Row[]>('GET', '/receivers');
  const deliveries = `/receivers/${testReceiver?.id ?? ''}/deliveries`;
  const [received] = await eventually(
    () => ask<Row[]>('GET', deliveries),
    ([row]) => row !== undefined,
  );
  await eventually(
    () => ask<Row>('GET', `/v1/jobs/${job.id}`),
    ({ status }) => status === 'succeeded',
  );
  await eventually(
    () => listed('documents?q=lighthouse'),
    (found) => found.length > 0,
  );
  const members = await ask<{ userId: string; isYou: boolean }[]>('GET', '/members');
  return {
    ...owner,
    origin,
    colleague,
    ids: {
      document: document.id,
      published: published.id,
      trashed: trashed.id,
      template: template.id,
      key: key.id,
      endedKey: endedKey.id,
      app: app.id,
      serviceAccount: serviceAccount.id,
      webhook: webhook.id,
      testWebhook: testWebhook.id,
      received: received?.id ?? '',
      delivery: delivery.id,
      event: await firstOf('events'),
      request,
      failedRequest,
      entry: await firstOf('audit'),
      job: job.id,
      member: members.find(({ isYou }) => !isYou)?.userId ?? member,
    },
  };
}

/** Returns every page and panel of the account. */
export function placesOf({ ids }: Pick<FurnishedAccount, 'ids'>): readonly string[] {
  const { document, published, template, webhook, testWebhook } = ids;
  return [
    'overview',
    'overview?deliveries=failed',
    'documents',
    'documents?q=lighthouse',
    'documents?tab=trash',
    'documents?q=nothing-has-this-word',
    'documents/new',
    `documents/new?template=${template}`,
    `documents/${document}`,
    `documents/${document}?panel=details`,
    `documents/${document}?panel=check`,
    `documents/${document}/history`,
    `documents/${document}/history?to=2`,
    'documents?unpublishedChanges=true',
    `documents/${published}`,
    `documents/${published}/history?from=published`,
    `documents/${published}/history?tab=publications`,
    'templates',
    `templates/${template}`,
    `templates/${template}?open=1`,
    'proposals',
    'proposals?status=decided',
    'keys',
    'keys?tab=ended',
    'keys?tab=apps',
    `keys?tab=apps&open=${ids.app}`,
    'keys?tab=service-accounts',
    `keys?open=${ids.key}`,
    'webhooks',
    `webhooks/${webhook}`,
    `webhooks/${webhook}?tab=settings`,
    `webhooks/${webhook}/deliveries/${ids.delivery}`,
    `webhooks/${testWebhook}?tab=receiver`,
    `webhooks/${testWebhook}?tab=receiver&open=${ids.received}`,
    'events',
    `events?open=${ids.event}`,
    'requests',
    `requests/${ids.request}`,
    `requests/${ids.failedRequest}`,
    'audit',
    `audit?open=${ids.entry}`,
    'jobs',
    `jobs?open=${ids.job}`,
    'members',
    'settings',
    'settings?tab=publishing',
    'settings?tab=analysis',
    'settings?tab=rules',
    'settings?tab=rules&search=apostrophe',
    'settings?tab=style-rules',
    'settings?tab=style-rules&open=1',
    'settings?tab=style-rules&edit=1',
    'settings?tab=dictionary',
    '/profile',
    // Does not exist.
    'documents/doc_00000000000000000000000000',
    'documents/doc_00000000000000000000000000/history',
    'templates/tmpl_00000000000000000000000000',
    `templates/${template}?open=99`,
    'webhooks/wh_00000000000000000000000000',
    'keys?open=key_00000000000000000000000000',
    'settings?tab=style-rules&open=99',
    'requests/req_00000000000000000000000000',
    'nonsense',
    '/acct_00000000000000000000000000/overview',
    '/nonsense',
  ];
}

export interface DialogPlace {
  /** The page in the account. */
  page: string;
  /** `dialog` in the address, with `of` after a space. */
  dialog: string;
  title: string;
  /** A field to type into. Missing if the dialog only asks a question. */
  field?: string;
}

/** Returns every dialog that an address can open. */
export function dialogsOf({ ids }: Pick<FurnishedAccount, 'ids'>): readonly DialogPlace[] {
  const { document, published, template, webhook, key } = ids;
  return [
    { page: 'overview', dialog: 'commands', title: 'Command palette' },
    { page: 'overview', dialog: 'shortcuts', title: 'Keyboard shortcuts' },
    { page: 'overview', dialog: 'try-it', title: 'Try it' },
    { page: 'documents', dialog: 'import', title: 'Import documents' },
    { page: 'documents', dialog: `add-tag ${document}`, title: 'Add tag', field: 'Tag' },
    { page: 'documents', dialog: 'move-to-published all', title: 'Publish documents' },
    { page: 'documents', dialog: `delete ${document}`, title: 'Delete document' },
    { page: 'documents?tab=trash', dialog: `restore ${ids.trashed}`, title: 'Restore documents' },
    { page: `documents/${document}/history`, dialog: 'restore 1', title: 'Restore this version' },
    { page: `documents/${document}`, dialog: 'delete', title: 'Delete document' },
    { page: `documents/${published}`, dialog: 'discard', title: 'Discard changes' },
    { page: `documents/${published}`, dialog: 'unpublish', title: 'Unpublish' },
    {
      page: `documents/${published}/history`,
      dialog: 'publish 2',
      title: 'Publish this version',
    },
    { page: 'templates', dialog: 'new-template', title: 'New template', field: 'Name' },
    { page: 'templates', dialog: `delete ${template}`, title: 'Delete template' },
    { page: `templates/${template}`, dialog: 'delete', title: 'Delete template' },
    { page: `templates/${template}`, dialog: 'restore 1', title: 'Restore this version' },
    { page: 'keys', dialog: 'create-key', title: 'Create key', field: 'Name' },
    { page: 'keys', dialog: `edit-key ${key}`, title: 'Edit key', field: 'Name' },
    { page: `keys?open=${key}`, dialog: `rotate-key ${key}`, title: 'Rotate key', field: '7 days' },
    { page: 'keys', dialog: `revoke-key ${key}`, title: 'Revoke key' },
    { page: 'keys?tab=apps', dialog: `revoke-key ${ids.app}`, title: 'Disconnect' },
    {
      page: 'keys?tab=service-accounts',
      dialog: 'create-service-account',
      title: 'Create service account',
      field: 'Name',
    },
    {
      page: 'keys?tab=service-accounts',
      dialog: `edit-service-account ${ids.serviceAccount}`,
      title: 'Edit service account',
      field: 'Name',
    },
    {
      page: 'keys?tab=service-accounts',
      dialog: `delete-service-account ${ids.serviceAccount}`,
      title: 'Delete service account',
    },
    { page: 'webhooks', dialog: 'create-webhook', title: 'Create webhook', field: 'URL' },
    {
      page: `webhooks/${webhook}`,
      dialog: 'rotate-secret',
      title: 'Rotate secret',
      field: 'Secret',
    },
    { page: `webhooks/${webhook}`, dialog: 'recover', title: 'Recover deliveries', field: 'Since' },
    { page: `webhooks/${webhook}`, dialog: 'disable', title: 'Disable webhook' },
    { page: `webhooks/${webhook}`, dialog: 'delete', title: 'Delete webhook' },
    { page: 'jobs', dialog: 'import-account', title: 'Import account', field: 'File' },
    { page: 'jobs', dialog: 'export-account', title: 'Export account' },
    { page: 'members', dialog: 'invite', title: 'Invite member', field: 'Email' },
    { page: 'members', dialog: `change-role ${ids.member}`, title: 'Change role', field: 'Role' },
    {
      page: 'members',
      dialog: `remove ${ids.member}`,
      title: 'Remove member',
      field: 'Revoke API keys created by this person',
    },
    {
      page: 'settings?tab=publishing',
      dialog: 'turn-off-publishing',
      title: 'Turn off publishing',
    },
    {
      page: 'settings',
      dialog: 'delete-account',
      title: 'Delete account',
      field: 'Account name',
    },
    {
      page: '/profile',
      dialog: 'turn-on-two-factor',
      title: 'Turn on two-factor',
      field: 'Password',
    },
  ];
}

/** Returns the address of a page of the account, or a page under `/dashboard` if it starts with a slash. */
export function addressOf(account: FurnishedAccount, place: string, dialog?: string): string {
  const url = new URL(
    `${account.origin}/dashboard${place.startsWith('/') ? place : `/${account.accountId}/${place}`}`,
  );
  const [name, of] = dialog?.split(' ') ?? [];
  if (name !== undefined) url.searchParams.set('dialog', name);
  if (of !== undefined) url.searchParams.set('of', of);
  return url.href;
}
