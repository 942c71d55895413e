// Writes the TypeScript types of the API documents that the dashboard asks by, when a document is newer than they are.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import openapiTypeScript, { astToString } from 'openapi-typescript';

// npm runs scripts from the project's root.
const DOCUMENTS = [
  ['openapi.json', 'dashboard/src/api/v1-schema.ts'],
  ['openapi.dashboard.json', 'dashboard/src/api/dashboard-schema.ts'],
];

for (const [document, types] of DOCUMENTS) {
  if (existsSync(types) && statSync(types).mtimeMs > statSync(document).mtimeMs) continue;
  const schema = JSON.parse(readFileSync(document, 'utf8'));
  const ast = await openapiTypeScript(schema, { exportType: true });
  writeFileSync(
    types,
    `/* Made from ${document} by scripts/dashboard-types.mjs. */\n${astToString(ast)}`,
  );
}
