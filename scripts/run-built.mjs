// Runs a built program by name (main, cli) after building what is stale. Uses one process, so that signals reach the
// program. Imports one after another, so that an old Node.js parses only the first.
import './require-node.mjs';

const [, , name, ...rest] = process.argv;
const root = new URL('../', import.meta.url);
async function run() {
  await import('./load-env.mjs');
  const { buildWhenStale } = await import('./build-when-stale.mjs');
  // The command line needs neither the dashboard nor the documentation, and must respond quickly.
  buildWhenStale(name === 'cli' ? ['service'] : ['service', 'dashboard', 'docs']);
  const program = new URL(`dist/${name}.js`, root);
  const { fileURLToPath } = await import('url');
  process.argv = [process.argv[0], fileURLToPath(program), ...rest];
  await import(program.href);
}
run();
