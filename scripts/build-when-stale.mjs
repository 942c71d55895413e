// Builds the service, the dashboard and the documentation if a source is newer than the build, so that `npm start` is one command on a fresh
// checkout and fast afterwards.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// npm runs scripts from the project root.
const PACKAGES = ['conversion', 'embedded-postgres', 'markdown', 'text-analysis', 'text-merge'];

const PARTS = {
  packages: {
    name: 'packages',
    built: 'packages/text-merge/dist/merge-text.js',
    sources: [...PACKAGES.map((name) => `packages/${name}/src`), 'package-lock.json', '.swcrc'],
    script: 'build:packages',
  },
  service: {
    name: 'service',
    built: 'dist/main.js',
    sources: [
      'src',
      ...PACKAGES.map((name) => `packages/${name}/src`),
      'package-lock.json',
      'nest-cli.json',
      '.swcrc',
      'tsconfig.build.json',
    ],
    script: 'build:service',
  },
  dashboard: {
    name: 'dashboard',
    built: 'packages/dashboard/dist/index.html',
    sources: [
      'packages/dashboard/src',
      ...['conversion', 'markdown', 'text-merge'].map((name) => `packages/${name}/src`),
      'src/features/auth/scopes.ts',
      'src/features/audit/audit-actions.ts',
      'packages/dashboard/index.html',
      'packages/dashboard/vite.config.mjs',
      'scripts/compress-folder.mjs',
      'package-lock.json',
    ],
    script: 'build:dashboard',
  },
  docs: {
    name: 'documentation',
    built: 'docs-site/dist/index.html',
    sources: [
      'docs',
      ...['assets', 'lib', 'pages', 'reference', 'templates'].map((name) => `docs-site/${name}`),
      ...['build', 'eleventy.config', 'options', 'sections'].map((name) => `docs-site/${name}.mjs`),
      'packages/client/README.md',
      'sdk-python/README.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'openapi.json',
      'scripts/compress-folder.mjs',
      'scripts/sdk-operations.mjs',
      'package-lock.json',
    ].filter(existsSync),
    script: 'site',
    // The service starts without it, or with the previous one.
    isOptional: true,
  },
};

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Exists while a part is built, and after a build that Ctrl-C has interrupted. */
const unfinishedMark = (script) =>
  `node_modules/.cache/document-service/unfinished-${script.replace(':', '-')}`;

function isStale({ built, sources, script }) {
  if (existsSync(unfinishedMark(script))) return true;
  return !existsSync(built) || Math.max(...sources.map(newest)) > statSync(built).mtimeMs;
}

/**
 * Builds the named parts (`packages`, `service`, `dashboard`, `docs`) that are older than their sources, and reports it. Returns
 * false if an optional part could not be built. Ends the process if another one could not.
 */
export function buildWhenStale(names) {
  const results = names
    .map((name) => PARTS[name])
    .filter(isStale)
    .map(build);
  return !results.includes(false);
}

function build({ name, script, built, isOptional = false }) {
  process.stderr.write(`Building the ${name} …\n`);
  const mark = unfinishedMark(script);
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, '');
  // Silent, so that `npm run -s cli` prints only the command's output.
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', script], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) {
    rmSync(mark);
    return true;
  }
  if (isOptional) {
    const meanwhile = existsSync(built) ? 'The previous one is served' : 'It is not served';
    process.stderr.write(
      `The ${name} could not be built. ${meanwhile} until you correct this and run npm run ${script}:\n${stdout}${stderr}`,
    );
    return false;
  }
  process.stderr.write(
    `The build failed. Run npm ci first, then npm run build.\n${stdout}${stderr}`,
  );
  process.exit(1);
}

// When run as a script: builds the named parts, or all of them.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  const isComplete = buildWhenStale(names.length > 0 ? names : Object.keys(PARTS));
  if (!isComplete) process.exitCode = 1;
}
