// Development with reload: swc compiles each file that changes, Node runs the result and restarts it. `nest start --watch`
// would start the new process before the old one has let go of the data folder, and end PostgreSQL under it.
import { spawn } from 'node:child_process';
import './build-when-stale.mjs';

const compiler = spawn(
  'node_modules/.bin/swc',
  [
    'src',
    '--out-dir',
    'dist',
    '--strip-leading-paths',
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

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => [compiler, service].forEach((program) => program.kill(signal)));
}
