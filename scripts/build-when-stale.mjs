// Builds dist/ when a source is newer than it, so that `npm start` is one command on a fresh checkout and quick after.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

// npm runs scripts from the project's root.
const SOURCES = ['src', 'package-lock.json', 'nest-cli.json', '.swcrc', 'tsconfig.build.json'];
const BUILT = 'dist/main.js';

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

if (!existsSync(BUILT) || Math.max(...SOURCES.map(newest)) > statSync(BUILT).mtimeMs) {
  // Quiet, so that the output of `npm run -s cli` is the command's alone.
  const build = spawnSync('npm', ['run', '--silent', 'build'], {
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
