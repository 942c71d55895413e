import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, databaseUrl, runOn, type TestDatabase } from '../support/postgres.js';
import { buildStages, inStage } from './build-stages.js';
import { contextFiles, readStages } from './dockerfile.js';
import { proveRoles } from './roles.js';

let folder: string;
let database: TestDatabase;
const name = `test_${randomBytes(8).toString('hex')}`;
beforeAll(async () => {
  database = await createTestDatabase();
  await runOn(database.url, `CREATE DATABASE ${name}`);
  // Outside the project, whose node_modules contains packages that the image lacks.
  folder = mkdtempSync(join(tmpdir(), 'image-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await runOn(database.url, `DROP DATABASE ${name} WITH (FORCE)`);
  await database.drop();
});

/** Set by .ci/run after it has built the real image and started it in both roles, which proves more. */
const isImageTried = process.env['CONTAINER_IMAGE_TRIED'] === 'true';

describe('The image', () => {
  const works = async () => {
    const image = buildStages(mkdtempSync(join(folder, 'build-')));
    const { PATH = '' } = process.env;
    await proveRoles({
      run: ([program = '', ...words], variables) =>
        spawn(program === 'node' ? process.execPath : program, words, {
          cwd: inStage(image, '.'),
          env: { PATH, ...image.environment, ...variables },
        }),
      command: image.command,
      databaseUrl: databaseUrl(database.url, name),
      report: () => undefined,
    });
  };
  if (isImageTried) {
    it.skip(
      'is not built here: .ci/run has built the real one and started it in both roles',
      works,
    );
  } else {
    it(
      'builds from the files that .dockerignore and COPY leave, and serves as api and worker',
      works,
      600_000,
    );
  }

  it('has no tests, no data, no history and no settings in its build context', () => {
    const files = [...contextFiles('.')];
    expect(files).toContain('src/main.ts');
    expect(files).toContain('package.json');
    const unwanted =
      /^(test|\.git|\.data|\.tmp|dist|node_modules|(dashboard|docs-site)\/dist)\/|\.spec\.ts$|\.env/;
    expect(files.filter((file) => unwanted.test(file))).toEqual([]);
  });
});

describe('A build context', () => {
  it('follows the last matching pattern of .dockerignore, even below an ignored folder', () => {
    const root = mkdtempSync(join(tmpdir(), 'context-'));
    for (const path of ['a/keep/x', 'a/drop/x', 'b/x.log', 'b/c/x.log', 'b/c/y', 'top', '.env']) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), '');
    }
    writeFileSync(join(root, '.dockerignore'), '# All\n*\n!a/keep\n!/b/\n**/*.log\n!b/c/x.log\n');
    expect([...contextFiles(root)].sort()).toEqual(['a/keep/x', 'b/c/x.log', 'b/c/y']);
    rmSync(root, { recursive: true });
  });

  it('is read with flags, continued lines, comments and stages like Docker does', () => {
    const root = mkdtempSync(join(tmpdir(), 'dockerfile-'));
    const file = join(root, 'Dockerfile');
    writeFileSync(
      file,
      'FROM node:24 AS one\n# No\nRUN --mount=type=cache,target=/x npm ci \\\n  # no\n  --omit=dev\nFROM one\nCOPY --from=one --chown=1:1 /a /b\n',
    );
    expect(readStages(file)).toEqual([
      {
        name: 'one',
        base: 'node:24',
        instructions: [
          { name: 'RUN', text: 'npm ci    --omit=dev', flags: { mount: 'type=cache,target=/x' } },
        ],
      },
      {
        name: '1',
        base: 'one',
        instructions: [{ name: 'COPY', text: '/a /b', flags: { from: 'one', chown: '1:1' } }],
      },
    ]);
    rmSync(root, { recursive: true });
  });
});
