import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { format, resolveConfig } from 'prettier';
import { Config, readEnvironment } from '../src/platform/config/config.js';
import { serviceModule, VERSIONING } from '../src/entrypoints/boot/configure-app.js';
import { buildApiDocument } from '../src/entrypoints/api-document/api-document.js';
import { catalogues } from '../docs-site/reference/catalogues.mjs';
import { buildDashboardDocument } from '../src/entrypoints/api-document/dashboard-document.js';

/** The documents, by the files that they are committed in. */
const DOCUMENTS = [
  ['openapi.json', buildApiDocument],
  ['openapi.dashboard.json', buildDashboardDocument],
] as const;

/** In preview mode, Nest reads the modules but creates nothing, so no database is needed. */
async function openPreview(): Promise<INestApplication> {
  const config = new Config(readEnvironment({}), 'postgresql://nowhere', Buffer.alloc(32));
  const app = await NestFactory.create(await serviceModule(config), {
    preview: true,
    logger: ['error'],
  });
  app.enableVersioning(VERSIONING);
  return app;
}

/** Returns the documents, and the pages that are made from the first, as the files that are committed. */
async function filesOf(app: INestApplication): Promise<(readonly [file: string, text: string])[]> {
  const documents = DOCUMENTS.map(([file, build]) => [file, build(app), 'json'] as const);
  const pages = catalogues(buildApiDocument(app)).map(
    ({ file, text }) => [file, text, 'markdown'] as const,
  );
  const formatted = [...documents, ...pages].map(async ([file, content, parser]) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const style = await resolveConfig(file, { editorconfig: true });
    return [file, await format(text, { ...style, parser })] as const;
  });
  return Promise.all(formatted);
}

/** `--check` compares instead of writing. Exit code 1 means that they differ. */
async function main(): Promise<void> {
  const app = await openPreview();
  for (const [file, text] of await filesOf(app)) {
    if (!process.argv.includes('--check')) {
      await writeFile(file, text);
      continue;
    }
    const committed = await readFile(file, 'utf8').catch(() => '');
    if (committed === text) continue;
    console.error(`${file} is out of date. Run npm run openapi and commit the result.`);
    process.exitCode = 1;
  }
}

await main();
