import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { format, resolveConfig } from 'prettier';
import { Config, readEnvironment } from '../src/platform/config/config.js';
import { serviceModule, VERSIONING } from '../src/entrypoints/boot/configure-app.js';
import { buildApiDocument } from '../src/entrypoints/api-document/api-document.js';
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

/** `--check` compares instead of writing. Exit code 1 means that they differ. */
async function main(): Promise<void> {
  const app = await openPreview();
  for (const [file, build] of DOCUMENTS) {
    const style = await resolveConfig(file);
    const document = await format(JSON.stringify(build(app)), { ...style, parser: 'json' });
    if (!process.argv.includes('--check')) {
      await writeFile(file, document);
      continue;
    }
    const committed = await readFile(file, 'utf8').catch(() => '');
    if (committed === document) continue;
    console.error(`${file} is out of date. Run npm run openapi and commit the result.`);
    process.exitCode = 1;
  }
}

await main();
