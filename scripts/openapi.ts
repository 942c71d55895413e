import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { format, resolveConfig } from 'prettier';
import { Config, readEnvironment } from '../src/config/config.js';
import { serviceModule, VERSIONING } from '../src/configure-app.js';
import { buildApiDocument } from '../src/openapi/api-document.js';

const FILE = 'openapi.json';

/** The document as it is committed. In preview mode Nest reads the modules and makes nothing: no database is needed. */
async function generate(): Promise<string> {
  const config = new Config(readEnvironment({}), 'postgresql://nowhere', Buffer.alloc(32));
  const app = await NestFactory.create(await serviceModule(config), {
    preview: true,
    logger: ['error'],
  });
  app.enableVersioning(VERSIONING);
  const style = await resolveConfig(FILE);
  return format(JSON.stringify(buildApiDocument(app)), { ...style, parser: 'json' });
}

/** `--check` compares instead of writing; exit code 1 says that they differ. */
async function main(): Promise<void> {
  const document = await generate();
  if (!process.argv.includes('--check')) {
    await writeFile(FILE, document);
    return;
  }
  const committed = await readFile(FILE, 'utf8').catch(() => '');
  if (committed === document) return;
  console.error(`${FILE} is not what the code says. Run npm run openapi and commit the result.`);
  process.exitCode = 1;
}

await main();
