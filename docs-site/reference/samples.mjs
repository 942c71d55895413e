// Samples of an operation in curl, TypeScript and Python. test/documentation/reference-samples runs or compiles all of them.
import { callsOf, pythonName } from '../../scripts/sdk-operations.mjs';
import { exampleOf } from './example.mjs';
import {
  callText,
  jsonText,
  LINE_WIDTH,
  literal,
  PYTHON_STYLE,
  TYPESCRIPT_STYLE,
} from './literals.mjs';
import { PATH_VALUES, SAMPLE_INPUTS } from './sample-inputs.mjs';

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

/** Returns what the samples send: `path`, `query` and `body`, and how the response is read. */
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
  if (body !== undefined) parts.push(`--json ${shellText(jsonText(body))}`);
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
