// Samples of an operation in curl, TypeScript and Python. test/documentation/reference-samples runs all of them.
import { callsOf, pythonName } from '../../scripts/sdk-operations.mjs';
import { exampleOf } from './example.mjs';
import { PATH_VALUES, SAMPLE_INPUTS } from './sample-inputs.mjs';

const LINE_WIDTH = 84;

/** Lists whose items come one by one, or in pages. */
const isList = (operation) => operation.parameters.some(({ name }) => name === 'cursor');

/** Returns `{ curl, typescript, python }`. */
export function samplesOf(api, operation) {
  const request = requestOf(api, operation);
  return {
    curl: curlSample(operation, request),
    typescript: typescriptSample(operation, request),
    python: pythonSample(operation, request),
  };
}

/** Returns what the samples send: `path`, `query` and `body`, and how the answer is read. */
export function requestOf(api, operation) {
  const input = SAMPLE_INPUTS[operation.operationId] ?? {};
  const path = Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, example, schema }) => [
        name,
        input.path?.[name] ?? PATH_VALUES[name] ?? example ?? exampleOf(api, schema),
      ]),
  );
  return { ...input, path };
}

function curlSample(operation, { path, query = {}, body, file, saveAs, stream }) {
  const address = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name]));
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`)
    .join('&');
  const implied = body !== undefined || file !== undefined ? 'POST' : 'GET';
  const flags = [
    stream ? '-sN' : '-s',
    ...(operation.method === implied ? [] : [`-X ${operation.method}`]),
  ];
  const url = `"$DOCUMENT_SERVICE_URL${address}${search && `?${search}`}"`;
  const parts = [`curl ${flags.join(' ')} ${url}`];
  if (operation.scopes) parts.push('-H "Authorization: Bearer $DOCUMENT_SERVICE_KEY"');
  if (file) parts.push(...uploadFlags(operation, file));
  if (body !== undefined)
    parts.push(`--json ${shellText(literal(body, JSON_STYLE, LINE_WIDTH - 12))}`);
  if (saveAs) parts.push(`-o ${saveAs}`);
  return parts.join(' \\\n  ');
}

function uploadFlags(operation, file) {
  const [type] = Object.keys(operation.requestBody.content);
  if (type === 'multipart/form-data') return [`-F file=@${file}`];
  return [`-H 'Content-Type: ${type}'`, `--data-binary @${file}`];
}

function shellText(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const JSON_STYLE = { key: (name) => JSON.stringify(name), text: JSON.stringify, indent: '  ' };

const TYPESCRIPT_STYLE = {
  key: (name) => (/^\w+$/.test(name) ? name : typescriptText(name)),
  text: typescriptText,
  indent: '  ',
  trailing: ',',
};

const PYTHON_STYLE = {
  key: (name) => JSON.stringify(name),
  text: JSON.stringify,
  indent: '    ',
  trailing: ',',
  braces: ['{', '}'],
  words: { true: 'True', false: 'False', null: 'None' },
};

/** Returns a string with single quotes, or with the quotes that need no escapes. */
function typescriptText(text) {
  const escaped = JSON.stringify(text);
  return text.includes("'") ? escaped : `'${escaped.slice(1, -1).replaceAll(String.raw`\"`, '"')}'`;
}

/** Returns a value as code: on one line if it fits into `width`, else with a member on each line. */
function literal(value, style, width) {
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object' || value === null) return style.words?.[value] ?? String(value);
  const line = inline(value, style);
  return line.length <= width ? line : multiline(value, style, width);
}

/** Returns a list or an object with a member on each line. */
function multiline(value, style, width) {
  const members = membersOf(value, style, width - style.indent.length);
  const lines = members.map((member) => indented(member, style.indent)).join(',\n');
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines}${style.trailing ?? ''}\n${close}`;
}

function inline(value, style) {
  const members = membersOf(value, style, Number.POSITIVE_INFINITY).join(', ');
  if (Array.isArray(value)) return `[${members}]`;
  const [open, close] = style.braces ?? ['{ ', ' }'];
  return members === '' ? '{}' : `${open}${members}${close}`;
}

function membersOf(value, style, width) {
  if (Array.isArray(value)) return value.map((item) => literal(item, style, width));
  return Object.entries(value).map(([name, member]) => {
    const key = `${style.key(name)}: `;
    return key + literal(member, style, width - key.length);
  });
}

function indented(text, indent) {
  return text.replace(/^/gm, indent);
}

/** Returns `call(arguments)`: on one line if it fits, else with the last argument on several lines. */
function callText(call, given, style) {
  const line = `${call}(${given.map((one) => literal(one, style, Number.POSITIVE_INFINITY)).join(', ')})`;
  if (line.length <= LINE_WIDTH) return line;
  const first = given.slice(0, -1).map((one) => `${literal(one, style, LINE_WIDTH)}, `);
  const last = given.at(-1);
  const text =
    typeof last === 'object'
      ? multiline(last, style, LINE_WIDTH)
      : literal(last, style, LINE_WIDTH);
  return `${call}(${first.join('')}${text})`;
}

function typescriptSample(operation, request) {
  const { typescript: call } = callsOf(operation.operationId);
  const special = TYPESCRIPT[operation.operationId];
  const code = special?.(call, request) ?? typescriptCall(operation, call, request);
  const [imports, lines] = Array.isArray(code) ? code : [[], code];
  return [
    ...imports,
    "import { DocumentService } from '@document-service/client';",
    '',
    'const client = new DocumentService();',
    lines,
  ].join('\n');
}

function typescriptCall(operation, call, { path, query, body, saveAs }) {
  const given = [...Object.values(path), body, query].filter((value) => value !== undefined);
  const text = callText(call, given, TYPESCRIPT_STYLE);
  if (isList(operation)) return `for await (const item of ${text}) {\n  console.log(item);\n}`;
  if (!saveAs) return `const result = await ${text};\nconsole.log(result);`;
  return [
    ["import { writeFile } from 'node:fs/promises';"],
    `const file = await ${text};\nawait writeFile('${saveAs}', Buffer.from(await file.arrayBuffer()));`,
  ];
}

const READ_FILE = ["import { readFile } from 'node:fs/promises';"];

/** Calls whose arguments are not path, body and query. */
const TYPESCRIPT = {
  holdPresence: (call, { path, body }) =>
    `const result = await ${call}('${path.id}', '${body.state}');\nconsole.log(result);`,
  importDocument: (call, { file }) => [
    READ_FILE,
    `const file = await readFile('${file}', 'utf8');\nconst result = await ${call}({ file, fileName: '${file}' });\nconsole.log(result);`,
  ],
  importAccount: (call, { file }) => [
    READ_FILE,
    `const archive = await readFile('${file}', 'utf8');\nconst result = await ${call}(archive);\nconsole.log(result);`,
  ],
  streamEvents: (call, { query }) => {
    const types = literal(query.types.split(','), TYPESCRIPT_STYLE, LINE_WIDTH);
    return `for await (const event of ${call}({ types: ${types} })) {\n  console.log(event.type);\n}`;
  },
  streamEnhancement: (call, { path }) => {
    const text = callText(call, Object.values(path), TYPESCRIPT_STYLE);
    return `const messages = ${text};\nfor await (const message of messages) {\n  console.log(message.type);\n}`;
  },
};

function pythonSample(operation, request) {
  const { python: call } = callsOf(operation.operationId);
  const code =
    PYTHON[operation.operationId]?.(call, request) ?? pythonCall(operation, call, request);
  const [imports, lines] = Array.isArray(code) ? code : [[], code];
  return [
    ...imports,
    'from document_service import DocumentService',
    '',
    'client = DocumentService()',
    lines,
  ].join('\n');
}

function pythonCall(operation, call, { path, query = {}, body, saveAs }) {
  const given = [...Object.values(path), ...(body === undefined ? [] : [body])];
  const named = Object.entries(query).map(
    ([name, value]) => `${pythonName(name)}=${literal(value, PYTHON_STYLE, LINE_WIDTH)}`,
  );
  const text =
    named.length === 0 ? callText(call, given, PYTHON_STYLE) : pythonNamed(call, given, named);
  if (isList(operation)) return `for item in ${text}:\n    print(item)`;
  if (!saveAs) return `result = ${text}\nprint(result)`;
  return [['from pathlib import Path', ''], `file = ${text}\nPath("${saveAs}").write_bytes(file)`];
}

function pythonNamed(call, given, named) {
  const positional = given.map((one) => literal(one, PYTHON_STYLE, LINE_WIDTH));
  return `${call}(${[...positional, ...named].join(', ')})`;
}

const PYTHON = {
  holdPresence: (call, { path, body }) =>
    `result = ${call}("${path.id}", "${body.state}")\nprint(result)`,
  importDocument: (call, { file }) => [
    ['from pathlib import Path', ''],
    `result = ${call}(Path("${file}"))\nprint(result)`,
  ],
  importAccount: (call, { file }) => [
    ['from pathlib import Path', ''],
    `result = ${call}(Path("${file}"))\nprint(result)`,
  ],
  streamEvents: (call, { query }) => {
    const types = literal(query.types.split(','), PYTHON_STYLE, LINE_WIDTH);
    return `for event in ${call}(types=${types}):\n    print(event["type"])`;
  },
  streamEnhancement: (call, { path }) => {
    const text = callText(call, Object.values(path), PYTHON_STYLE);
    return `messages = ${text}\nfor message in messages:\n    print(message["type"])`;
  },
};
