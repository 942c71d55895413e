import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = path.join('packages/client', 'src');

interface ApiDocument {
  paths: Record<string, Record<string, { operationId: string }>>;
}

/** Returns `METHOD /path` of every call in the sources. Types ensure that the calls match the API document. */
function callsInSources(): Set<string> {
  const calls = new Set<string>();
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file === 'schema.ts') continue;
    const source = readFileSync(path.join(SOURCES, file), 'utf8');
    const call =
      /\b(?:api|this)\.(request|list|stream)\(\s*(?:'([A-Z]+)',\s*)?(?:'([^']+)'|path\b)/g;
    for (const [, kind, method = 'GET', route] of source.matchAll(call)) {
      // A route that is too long for its line is in a constant above it.
      const named = kind === 'stream' && route === undefined ? /const path = '([^']+)'/ : undefined;
      calls.add(`${method} ${route ?? named?.exec(source)?.[1] ?? ''}`);
    }
  }
  return calls;
}

describe('the TypeScript client', () => {
  it('has a method for every operation of openapi.json', () => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as ApiDocument;
    const operations = Object.entries(paths).flatMap(([route, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${route}`),
    );
    const calls = callsInSources();
    expect(operations.filter((operation) => !calls.has(operation))).toEqual([]);
  });
});
