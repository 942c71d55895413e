// Development with reload: swc compiles each file that changes, and Node runs the result and restarts. `nest start
// --watch` would start the new process before the old one has released the data folder, and stop PostgreSQL under it.
import './require-node.mjs';

/** Load this after the check, because an old Node.js could not parse it. */
await import('./load-env.mjs');
const { spawn } = await import('node:child_process');
const { buildWhenStale } = await import('./build-when-stale.mjs');
buildWhenStale(['service', 'dashboard']);

const compiler = spawn(
  'node_modules/.bin/swc',
  [
    'src',
    '--out-dir',
    'dist',
    '--strip-leading-paths',
    '--copy-files',
    '--config-file',
    '.swcrc',
    '--watch',
    '--quiet',
  ],
  { stdio: ['ignore', 'inherit', 'inherit'] },
);
const service = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'dist/main.js'], {
  stdio: 'inherit',
});

// `node --watch` passes only SIGINT and SIGTERM on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
  process.on(signal, () => [compiler, service].forEach((program) => program.kill('SIGTERM')));
}
