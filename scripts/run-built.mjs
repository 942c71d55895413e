// Runs a built program by name (main, cli) after building what is stale. One process, so that signals reach the program.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './build-when-stale.mjs';

const [, , name, ...rest] = process.argv;
const program = join(import.meta.dirname, '..', 'dist', `${name}.js`);
process.argv = [process.argv[0], program, ...rest];
await import(pathToFileURL(program).href);
