// Catalogues of scopes, limits and event types, from openapi.json. `npm run openapi` writes them into docs/reference/.
import { slugOf } from '../lib/outline.mjs';
import { operationsOf, resolve } from './api-document.mjs';
import { exampleOf } from './example.mjs';
import { fieldTable } from './field-tables.mjs';
import { describe } from './fields.mjs';
import { tableOf } from './introduction.mjs';
import { jsonText } from './literals.mjs';
import { blocks, code, fence, page, table } from './markdown.mjs';

/** Returns the pages `{ file, text }`. */
export function catalogues(api) {
  return [scopesPage(api), limitsPage(api), eventTypesPage(api)];
}

function scopesPage(api) {
  const operations = operationsOf(api);
  const { rows } = tableOf(api, 'Authentication');
  const sections = rows.map(([scope, meaning]) => {
    const name = scope.replaceAll('`', '');
    const own = operations.filter((one) => one.description?.includes(scope) && one.scopes?.length);
    const used = name === '*' ? operations.filter((one) => one.scopes?.includes('*')) : own;
    return blocks(`## ${scope}`, `${meaning}.`, operationList(used));
  });
  const intro = `A [key](../concepts/api-keys.md) has scopes, and each operation requires one. Without it, the response is
[403 \`FORBIDDEN\`](../errors/forbidden.md), and \`details.requiredScopes\` names it. A key with \`*\` has all scopes. A
key never has more rights than the role of its owner: the person who created it, or a
[service account](../guides/keys-for-programs.md).`;
  const anyKey = operations.filter(({ scopes }) => scopes?.length === 0);
  const body = blocks(
    intro,
    sections,
    blocks('## Any key', operationList(anyKey)),
    blocks('## No key', operationList(operations.filter(({ scopes }) => !scopes))),
  );
  const description =
    'What an API key with each scope (permission) can do and read, and which operations need it.';
  return page('docs/reference/scopes.md', { title: 'Scopes', description, order: 50 }, body);
}

function operationList(operations) {
  return operations
    .map(({ summary, method, path }) => `- ${code(`${method} ${path}`)}: ${summary}`)
    .join('\n');
}

function limitsPage(api) {
  const rates = tableOf(api, 'Rate limits');
  const quotas = tableOf(api, 'Quotas');
  const [plans, names] = [quotas.rows.map(([plan]) => plan), quotas.headings.slice(1)];
  const byQuota = names.map((name, index) => [name, ...quotas.rows.map((row) => row[index + 1])]);
  const body = blocks(
    `\`GET /v1/usage\` returns the limits and the present use of your account.
[Limits](../concepts/limits.md) explains what counts.`,
    '## Rate limits',
    `A window starts with its first request. Above a limit, the response is [429](../errors/rate-limited.md) with
[\`Retry-After\`](headers.md#retry-after). A key can have
[limits of its own](../concepts/limits.md#limits-of-a-key).`,
    table(rates.headings, rates.rows),
    '## Quotas',
    `Above a quota, the response is [403](../errors/forbidden.md) with \`details\`: \`quota\`, \`limit\`, \`used\` and \`plan\`.`,
    table(['Quota', ...plans], byQuota),
    `Documents in the trash count until you delete them permanently. Storage counts the bytes of title, content, metadata
and \`aiSettings\`, and uploaded archives while they exist. Old versions count if they were imported with an archive; templates do not.`,
    '## Sizes',
    table(['What', 'Limit'], sizes(api)),
  );
  const description =
    'How big a document can be, and the rate limits, quotas and other maximum sizes of each plan: Free, Plus, Pro and Enterprise.';
  return page(
    'docs/reference/limits.md',
    { title: 'Plans and limits', description, order: 60 },
    body,
  );
}

/** Schemas and members whose limits readers ask for. */
const SIZES = [
  ['Title of a document', 'CreateDocument', 'title'],
  ['Operations in a batch', 'Batch', 'operations'],
  ['Name of a collection', 'CreateCollection', 'name'],
  ['`externalId`', 'CreateDocument', 'externalId'],
  ['Edits in one request', 'EditDocument', 'edits'],
  ['Edits in one proposal', 'ProposeChanges', 'edits'],
  ['Documents in a release', 'CreateRelease', 'items'],
  ['Publication rules', 'PutPublishing', 'rules'],
  ['Words added to the dictionary in one request', 'DictionaryChange', 'words'],
  ['Rules in a version of style rules', 'CreateStyleRules', 'rules'],
  ['Variables of a template', 'CreateTemplate', 'variables'],
  ['URL of a webhook', 'RegisterWebhook', 'url'],
  ['Custom headers of a webhook', 'RegisterWebhook', 'headers'],
];

function sizes(api) {
  const [bodyLimit] = /at most\s+(\d+ MiB)/.exec(api.info.description).slice(1);
  const rows = SIZES.map(([what, schema, member]) => {
    const given = resolve(api, api.components.schemas[schema].properties[member]);
    return [what, limitOf(given)];
  });
  return [
    ['Body of a request', `${bodyLimit}, unless the operator configures another limit`],
    ['Content of a document or template', '1 MiB in UTF-8'],
    ['Items on a page of a list', `${String(pageLimit(api))}; collections: 1,000`],
    ['Collections of an account', '1,000, at most 8 levels deep'],
    ['People in the access of a collection', '100'],
    ['Collections that a key, app or token is limited to', '20'],
    ['Documents in the export of a collection', '65,535, in a zip of at most 4 GiB'],
    ['Templates, and documents from them, in one batch', '16 MiB in total'],
    ['Replacements of one proposal', '262,144 UTF-16 code units in total'],
    ['Open proposals', '50 for a document, 5,000 in an account'],
    ['Open and scheduled releases', '500 in an account, at most 5 years ahead'],
    ['Texts of a release', '8 MiB in total'],
    ['Service accounts', '50 in an account'],
    ['Connected apps', '20 for each person in an account'],
    ...rows,
  ];
}

function limitOf({ maxItems, maxLength, maxProperties }) {
  const [limit, noun] = [
    [maxItems, ''],
    [maxProperties, ''],
    [maxLength, ' characters'],
  ].find(([value]) => value !== undefined);
  return `${limit.toLocaleString('en-US')}${noun}`;
}

function pageLimit(api) {
  return api.components.parameters.Limit.schema.maximum;
}

function eventTypesPage(api) {
  const events = Object.entries(api.webhooks);
  const rows = events.map(([type, { post }]) => [
    `[${code(type)}](#${slugOf(type)})`,
    post.description,
  ]);
  const body = blocks(
    `Subscribe a [webhook](../guides/receive-webhooks.md) to these names, to \`document.*\`,
\`collection.*\`, \`proposal.*\`, \`release.*\`, \`usage.*\` or \`webhook.*\`, or to \`*\` for all. The same events are in \`GET /v1/events\`. The first
payload below is complete. The others show only \`type\` and \`data\`, and of a document its \`id\`, \`type\`, \`status\` and \`version\`, which is
all that \`"payload": "thin"\` sends of it.`,
    table(['Event type', 'When it occurs'], rows),
    events.map(([type, { post }], index) => eventSection(api, type, post, index === 0)),
  );
  const description =
    'All event types of webhooks and of the event log: when each occurs, and an example payload.';
  return page(
    'docs/reference/event-types.md',
    { title: 'Event types', description, order: 70 },
    body,
  );
}

function eventSection(api, type, post, isComplete) {
  const { schema } = post.requestBody.content['application/json'];
  const { data } = allMembers(api, schema);
  const payload = payloadOf(api, schema);
  return blocks(
    `## ${type}`,
    post.description,
    fence('text', jsonText(isComplete ? payload : shortened(payload))),
    fieldTable(dataFields(api, data), { heading: 'Field of `data`', isResponse: true }),
  );
}

/** What differs between events. All members, and the whole document in each, would be most of the page. */
function shortened({ type, data }) {
  if (!data.document) return { type, data };
  const { id, type: kind, status, version } = data.document;
  return { type, data: { ...data, document: { id, type: kind, status, version } } };
}

/** The resource is described with its own operation. */
const DESCRIBED = {
  document: 'The document, as in `GET /v1/documents/{id}`.',
  release: 'The release, as in `GET /v1/releases/{id}`.',
  webhook: 'The webhook, as in `GET /v1/webhooks/{id}`.',
};

function dataFields(api, data) {
  return describe(api, data).fields.map((field) => {
    const description = DESCRIBED[field.name];
    return description ? { ...field, description, fields: [], variants: [] } : field;
  });
}

function allMembers(api, given) {
  const { properties = {}, allOf = [] } = resolve(api, given);
  return Object.assign({}, ...allOf.map((part) => allMembers(api, part)), properties);
}

/** Returns an event whose `data` is full; the example in the API document can be thin. */
function payloadOf(api, schema) {
  const { data, type } = allMembers(api, schema);
  const { example, ...described } = resolve(api, data);
  const full = exampleOf(api, described);
  return { ...exampleOf(api, schema), type: exampleOf(api, type), data: withValues(full, example) };
}

/** Takes over what the example says about members that are not documents. */
function withValues(full, example = {}) {
  return Object.fromEntries(
    Object.entries(full).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { ...value, ...example[name] }
        : (example[name] ?? value),
    ]),
  );
}
