// Builds the documentation site: npm run site -- [--out DIR] [--base /1.4/] [--url https://docs.example.com] [--serve]
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import Eleventy from '@11ty/eleventy';
import { readOptions } from './options.mjs';

/** Every build writes this file, so its folder may be replaced. */
const MARK = 'llms.txt';

try {
  const options = readOptions(process.argv.slice(2));
  await (options.serve ? serve(options) : build(options));
} catch (error) {
  process.stderr.write(`${error.originalError?.message ?? error.message}\n`);
  process.exitCode = 1;
}

async function build({ out }) {
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(`${out}/${MARK}`))
    throw new Error(`${resolve(out)} contains other files. Choose a new folder for the site.`);
  const temporary = `${out.replace(/\/$/, '')}.new`;
  rmSync(temporary, { recursive: true, force: true });
  try {
    const eleventy = eleventyInto(temporary);
    // It would repeat an error with its stack trace.
    eleventy.disableLogger();
    await eleventy.write();
    rmSync(out, { recursive: true, force: true });
    renameSync(temporary, out);
    process.stdout.write(`The site is in ${out}.\n`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function serve({ port }) {
  const eleventy = eleventyInto('.tmp/docs-site');
  await eleventy.init();
  await eleventy.watch();
  await eleventy.serve(port);
}

function eleventyInto(folder) {
  return new Eleventy('docs-site/templates', folder, {
    configPath: 'docs-site/eleventy.config.mjs',
    quietMode: true,
  });
}
