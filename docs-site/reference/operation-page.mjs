// The page of an operation.
import { callsOf } from '../../scripts/sdk-operations.mjs';
import { operationPageFile, resolve, slugOf } from './api-document.mjs';
import { ERROR_KINDS } from './errors.mjs';
import { exampleOf } from './example.mjs';
import { fieldTable } from './field-tables.mjs';
import { describe, fieldsOf, ignoredFields } from './fields.mjs';
import { blocks, code, fence, firstSentence, folded, page, table } from './markdown.mjs';
import { jsonText } from './literals.mjs';
import { samplesOf } from './samples.mjs';

/** Longer examples show their beginning. */
const MAX_EXAMPLE_LINES = 100;
const MAX_RELATED = 8;

/** Responses show fewer levels than bodies: their example has the others. */
const RESPONSE_DEPTH = 1;

/** Headers that every response has, or that only matter for one status, are on the page about headers. */
const COMMON_HEADERS = new Set(['RateLimit']);

/** Returns the generated page of an operation. `order` is its position in the navigation. */
export function operationPage(api, operation, { tag, order }) {
  const description = descriptionOf(operation);
  const about = `${operation.method} ${operation.path} (${operation.operationId})`;
  const values = {
    title: operation.summary,
    description: `${about}. ${firstSentence(description)}`,
    order,
    group: tag.title,
    search: 'title',
  };
  const body = blocks(
    code(`${operation.method} ${operation.path}`),
    description,
    factsOf(operation),
    samples(api, operation),
    parametersSection(api, operation),
    bodySection(api, operation),
    responseSection(api, operation),
    errorsSection(operation),
    relatedSection(operation, tag),
  );
  return page(operationPageFile(operation.operationId), values, body);
}

/** The description ends with the scope, which the table of facts has. */
function descriptionOf({ description = '' }) {
  return description.replace(/\n*Scope: [^\n]*$/, '').trim();
}

function factsOf(operation) {
  const { typescript, python } = callsOf(operation.operationId);
  const clients =
    typescript === python
      ? code(`${typescript}()`)
      : `${code(`${typescript}()`)}, ${code(`${python}()`)} in Python`;
  return table(
    ['Operation', code(operation.operationId)],
    [
      ['Scope', scopeOf(operation)],
      ['Clients', clients],
    ],
  );
}

/** Returns the scope sentence of the description, which also names scopes that only some requests need. */
function scopeOf({ scopes, description = '' }) {
  if (!scopes) return 'No API key needed';
  if (scopes.length === 0) return 'Any API key';
  const sentence = /Scope: ([^\n]*)$/.exec(description)?.[1].replace(/\.$/, '');
  return `${sentence ?? scopes.map(code).join(', ')} ([all scopes](../scopes.md))`;
}

function samples(api, operation) {
  const { curl, typescript, python } = samplesOf(api, operation);
  return blocks(fence('sh', curl), fence('ts', typescript), fence('python', python));
}

function parametersSection(api, operation) {
  const parts = [
    ['path', 'Path parameters'],
    ['query', 'Query parameters'],
    ['header', 'Request headers'],
  ].map(([place, title]) => parameterTable(api, operation, place, title));
  return blocks(parts);
}

function parameterTable(api, operation, place, title) {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  if (parameters.length === 0) return '';
  const fields = parameters.map(({ name, required = false, description, schema }) => {
    const field = { name, required, ...describe(api, schema) };
    return {
      ...field,
      description: [description ?? field.description, headerLink(place, name)]
        .filter(Boolean)
        .join(' '),
    };
  });
  return blocks(
    `## ${title}`,
    fieldTable(fields, { heading: place === 'header' ? 'Header' : 'Parameter' }),
  );
}

function headerLink(place, name) {
  return place === 'header' ? `[More](../headers.md#${name.toLowerCase()}).` : '';
}

function bodySection(api, operation) {
  if (!operation.requestBody) return '';
  const [[type, media]] = Object.entries(operation.requestBody.content);
  const others = Object.keys(operation.requestBody.content).slice(1).map(code);
  const optional = operation.requestBody.required ? '' : 'The body is optional. ';
  const alternatives = media.schema.anyOf ?? [media.schema];
  const [first, ...rest] = alternatives;
  const tables = [
    bodyTable(api, first),
    ...rest.map((schema) => alternativeTable(api, first, schema)),
  ];
  if (tables.every((text) => text === '')) return '';
  return blocks(
    '## Body',
    `${optional}${code(type)}${others.length > 0 ? ` or ${others.join(', ')}` : ''}.`,
    tables,
    examplesOf(media),
  );
}

function bodyTable(api, schema) {
  const fields = fieldsOf(api, schema);
  const { description = '', type } = resolve(api, schema);
  if (fields.length === 0) return type === 'string' ? description || 'The file itself.' : '';
  const ignored = ignoredFields(api, schema).map(code).join(', ');
  return blocks(
    fieldTable(fields),
    ignored && `Accepted and ignored, so you can send back what you read: ${ignored}.`,
  );
}

/** Returns the fields that differ from those of the first form of the body. */
function alternativeTable(api, first, schema) {
  const known = new Set(fieldsOf(api, first).map((field) => JSON.stringify(field)));
  const different = fieldsOf(api, schema).filter((field) => !known.has(JSON.stringify(field)));
  const required = different.filter((field) => field.required).map(({ name }) => code(name));
  return blocks(`Or with ${required.join(', ')}; then these fields differ:`, fieldTable(different));
}

function examplesOf({ examples = {} }) {
  const shown = Object.values(examples).map(({ summary, value }) =>
    blocks(`${summary}:`, fence('json no-run', jsonText(value))),
  );
  return shown.length > 0 ? folded('More examples of the body', blocks(shown)) : '';
}

function responseSection(api, operation) {
  const successes = operation.responses.filter(({ status }) => Number(status) < 400);
  const [first, ...others] = successes;
  return blocks(
    '## Response',
    responseBlocks(api, operation, first),
    headersOf(api, first),
    others.map((response) =>
      blocks(`### ${response.status}`, responseBlocks(api, operation, response)),
    ),
  );
}

function responseBlocks(api, operation, { status, description, content = {} }) {
  const intro = `\`${status}\`: ${description}`;
  const [[type, media] = []] = Object.entries(content);
  if (!media) return intro;
  const types = Object.keys(content).map(code).join(', ');
  if (type !== 'application/json')
    return blocks(intro, `Content type: ${types}.`, textExample(media));
  const data = resolve(api, media.schema)?.properties?.data;
  const isJob = status === '202' && JOB_KINDS[operation.operationId];
  const fields = isJob ? JOB_HINT : data && dataFields(api, data);
  return blocks(
    intro,
    fence('json no-run', shortened(jsonText(responseExample(api, operation, { status, media })))),
    fields,
  );
}

const JOB_HINT = 'Read it with `GET /v1/jobs/{id}` until its `status` is `succeeded`.';

/** Kinds of the jobs that operations return. */
const JOB_KINDS = {
  analyzeDocument: 'document.analyze',
  analyzeText: 'text.analyze',
  dryRunStyleRules: 'style-rules.dry-run',
  enhanceDocument: 'document.enhance',
  exportAccount: 'account.export',
  exportCollection: 'collection.export',
  exportDocument: 'document.export',
  importAccount: 'account.import',
};

/** Returns the example of a response. A job is new in a 202, and has succeeded in other responses. */
function responseExample(api, { operationId }, { status, media }) {
  const response = exampleOf(api, media.schema);
  const jobs = [response.data].flat().filter((data) => data?.progress && data.kind);
  for (const job of jobs)
    Object.assign(job, status === '202' ? newJob(operationId) : { error: null });
  return response;
}

function newJob(operationId) {
  const empty = { result: null, error: null, startedAt: null, finishedAt: null };
  return {
    kind: JOB_KINDS[operationId],
    status: 'queued',
    progress: { done: 0, total: null },
    ...empty,
  };
}

function textExample({ example }) {
  if (typeof example !== 'string') return '';
  return fence('text no-run', shortened(example));
}

function dataFields(api, data) {
  const field = describe(api, data, RESPONSE_DEPTH);
  const name = field.type.startsWith('list')
    ? 'each item of <code>data</code>'
    : '<code>data</code>';
  const lists = field.fields.length > 0 ? [{ fields: field.fields, name: '' }] : field.variants;
  return lists.map(({ fields }) =>
    folded(`Fields of ${name}`, fieldTable(fields, { isResponse: true })),
  );
}

function headersOf(api, { headers = {} }) {
  const rows = Object.entries(headers)
    .filter(([name]) => !COMMON_HEADERS.has(name))
    .map(([name, header]) => [
      `[${code(name)}](../headers.md#${name.toLowerCase()})`,
      resolve(api, header).description,
    ]);
  return table(['Header', 'Meaning'], rows);
}

function errorsSection({ responses, scopes }) {
  const rows = responses
    .filter(({ status }) => Number(status) >= 400)
    .map(({ status, description }) => [
      `[${status} ${ERROR_KINDS[status]}](../../errors/${ERROR_KINDS[status]}.md)`,
      status === '403' && scopes?.length
        ? `${description} [Scopes](../scopes.md), [quotas](../limits.md#quotas).`
        : description,
    ]);
  if (rows.length === 0) return '';
  return blocks('## Errors', table(['Error', 'When'], rows));
}

function relatedSection(operation, tag) {
  const others = tag.operations.filter((other) => other !== operation);
  const related = others
    .map((other) => ({ other, shared: sharedSegments(operation.path, other.path) }))
    .sort((one, two) => two.shared - one.shared)
    .slice(0, MAX_RELATED)
    .map(({ other }) => operationLine(other, './'));
  return blocks('## Related operations', [
    [...related, `- [All operations of ${tag.title}](../${tag.name}.md)`].join('\n'),
  ]);
}

function sharedSegments(path, other) {
  const [one, two] = [path.split('/'), other.split('/')];
  const differing = one.findIndex((segment, index) => segment !== two[index]);
  return (differing === -1 ? one.length : differing) * 100 - Math.abs(one.length - two.length);
}

/** Returns a list item that links to the page of an operation. */
function operationLine({ operationId, summary, method, path }, folder) {
  return `- [${summary}](${folder}${slugOf(operationId)}.md): ${code(`${method} ${path}`)}`;
}

function shortened(text) {
  const lines = text.split('\n');
  return lines.length <= MAX_EXAMPLE_LINES
    ? text
    : [...lines.slice(0, MAX_EXAMPLE_LINES), '…'].join('\n');
}
