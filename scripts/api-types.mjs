// Writes the TypeScript types of the API documents, for the dashboard and for the client in packages/client/, where a document is
// newer than its types. The output contains the document's hash, so that a stale file is always detected.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTypeScript, { astToString } from 'openapi-typescript';

const root = path.join(import.meta.dirname, '..');
const TYPES = [
  { document: 'openapi.json', types: 'packages/dashboard/src/api/v1-schema.ts' },
  { document: 'openapi.dashboard.json', types: 'packages/dashboard/src/api/dashboard-schema.ts' },
  // The client throws anything that is not a success. The failure responses would make up three quarters of its types.
  { document: 'openapi.json', types: 'packages/client/src/schema.ts', withFailures: false },
];

for (const { document, types, withFailures = true } of TYPES) {
  const text = readFileSync(path.join(root, document), 'utf8');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const header = `// Made from ${document} ${hash} by scripts/api-types.mjs.\n`;
  const file = path.join(root, types);
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(header)) continue;
  const schema = JSON.parse(text, wholeOnly);
  if (!withFailures) keepSuccesses(schema);
  const ast = await openapiTypeScript(schema, { exportType: true });
  writeFileSync(file, header + astToString(ast));
}

/** Our clients know where they request only some fields. All other responses are complete. */
function wholeOnly(_, value) {
  return value?.anyOf?.[1]?.$ref?.endsWith('Part') ? value.anyOf[0] : value;
}

/** Keeps only the responses that the client returns, without their headers and examples. */
function keepSuccesses(schema) {
  const shared = schema.components.responses ?? {};
  const operations = Object.values(schema.paths).flatMap((item) => Object.values(item));
  const bodies = Object.values(shared);
  for (const { responses } of operations.filter((operation) => operation.responses)) {
    for (const status of Object.keys(responses)) {
      if (!/^[23]/.test(status)) Reflect.deleteProperty(responses, status);
    }
    bodies.push(...Object.values(responses));
  }
  for (const body of bodies) {
    delete body.headers;
    for (const media of Object.values(body.content ?? {})) {
      delete media.example;
      delete media.examples;
    }
  }
  // The client does not need the responses of webhook receivers.
  for (const { post } of Object.values(schema.webhooks ?? {})) delete post.responses;
  const used = JSON.stringify(schema.paths);
  for (const name of Object.keys(shared)) {
    if (!used.includes(`"#/components/responses/${name}"`)) Reflect.deleteProperty(shared, name);
  }
}
