// A page for each operation of the API, an index for each tag, and one for all.
import { OPERATION_PAGES, readApiDocument, slugOf } from '../reference/api-document.mjs';
import { blocks, code, page, table } from '../reference/markdown.mjs';
import { operationPage } from '../reference/operation-page.mjs';
import { tagsOf } from '../reference/tags.mjs';

/** Positions in the navigation: after the written pages, 200 for each tag. */
const FIRST_ORDER = 1000;
const ORDERS_OF_A_TAG = 200;

export default function operationPages() {
  const api = readApiDocument();
  const tags = tagsOf(api);
  const own = tags.flatMap((tag, position) => {
    const order = FIRST_ORDER + position * ORDERS_OF_A_TAG;
    const pages = tag.operations.map((operation, index) =>
      operationPage(api, operation, { tag, order: order + 1 + index }),
    );
    return [tagPage(tag, order), ...pages];
  });
  return [allOperationsPage(tags), ...own];
}

function tagPage(tag, order) {
  const values = {
    title: tag.title,
    description: `All operations of ${tag.title}. ${tag.description}`,
    order,
    group: tag.title,
  };
  const body = blocks(tag.description, operationTable(tag.operations, 'operations/'));
  return page(`docs/reference/${tag.name}.md`, values, body);
}

function allOperationsPage(tags) {
  const values = {
    title: 'All operations',
    description:
      'Every route of the API with its method, path and scope, in one table per resource.',
    order: FIRST_ORDER - 1,
  };
  const parts = tags.map(({ title, name, operations }) =>
    blocks(`## [${title}](../${name}.md)`, operationTable(operations, '')),
  );
  const intro =
    'On a running service, **Try it** on the page of an operation sends the request with your API key and shows the response.';
  return page(`${OPERATION_PAGES}/index.md`, values, blocks(intro, parts));
}

function operationTable(operations, folder) {
  const rows = operations.map(({ operationId, summary, method, path, scopes }) => [
    `[${summary}](${folder}${slugOf(operationId)}.md)`,
    code(`${method} ${path}`),
    scopes ? scopes.map(code).join(', ') || 'Any key' : 'No key',
  ]);
  return table(['Operation', 'Route', 'Scope'], rows);
}
