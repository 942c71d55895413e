// Builds the service and the dashboard when a source is newer than what was built, so that `npm start` is one command on a
// fresh checkout and quick after.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

// npm runs scripts from the project's root.
const PARTS = [
  {
    built: 'dist/main.js',
    sources: ['src', 'package-lock.json', 'nest-cli.json', '.swcrc', 'tsconfig.build.json'],
    script: 'build:service',
  },
  {
    built: 'dashboard/dist/index.html',
    sources: [
      'dashboard/src',
      'src/auth/scopes.ts',
      'dashboard/index.html',
      'dashboard/vite.config.mjs',
      'dashboard/compress-ahead.mjs',
      'package-lock.json',
    ],
    script: 'build:dashboard',
  },
];

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isStale({ built, sources }) {
  return !existsSync(built) || Math.max(...sources.map(newest)) > statSync(built).mtimeMs;
}

for (const part of PARTS.filter(isStale)) {
  // Quiet, so that the output of `npm run -s cli` is the command's alone.
  const build = spawnSync('npm', ['run', '--silent', part.script], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (build.status !== 0) {
    process.stderr.write(
      `The build failed. Run npm ci first, then npm run build.\n${build.stdout}${build.stderr}`,
    );
    process.exit(1);
  }
}
