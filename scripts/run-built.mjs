// Runs a built program by name (main, cli) after building what is stale. One process, so that signals reach the program.
// Imported one after the other, so that an old Node.js parses no more than the first.
import './require-node.mjs';

const [, , name, ...rest] = process.argv;
const root = new URL('../', import.meta.url);
async function run() {
  await import('./load-env.mjs');
  const { buildWhenStale } = await import('./build-when-stale.mjs');
  // The command line needs no dashboard, and an answer at once.
  buildWhenStale(name === 'cli' ? ['service'] : ['service', 'dashboard']);
  const program = new URL(`dist/${name}.js`, root);
  const { fileURLToPath } = await import('url');
  process.argv = [process.argv[0], fileURLToPath(program), ...rest];
  await import(program.href);
}
run();
