import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { startTestApp, type TestApp } from '../../support/app.js';

const run = promisify(execFile);
const SOURCE = 'test/openapi/generators';
/** Kept between runs. Git ignores it. */
const PROJECT = path.resolve('.tmp', 'generators');
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Each generator as its users call it. It reads openapi.json and writes to out/NAME. */
const COMMANDS: Readonly<Record<string, string>> = {
  'openapi-typescript': 'openapi-typescript openapi.json -o out/openapi-typescript/schema.ts',
  'hey-api': 'openapi-ts -i openapi.json -o out/hey-api',
  'orval-fetch': 'orval --input openapi.json --output out/orval-fetch/client.ts --client fetch',
  'orval-zod': 'orval --input openapi.json --output out/orval-zod/schemas.ts --client zod',
  'swagger-typescript-api':
    'swagger-typescript-api generate -p openapi.json -o out/swagger-typescript-api -n client.ts',
  kubb: 'kubb generate --config kubb.config.mjs',
  'openapi-zod-client': 'openapi-zod-client openapi.json -o out/openapi-zod-client/client.ts',
};
const NAMES = Object.keys(COMMANDS);

/** Outside CI, asks the npm registry for one package. In CI the tests always run. */
const canInstall =
  process.env['CI'] === 'true' ||
  spawnSync('npm', ['view', 'zod@3.25.76', 'version'], { timeout: 60_000 }).status === 0;

function bin(name: string): string {
  return path.join(PROJECT, 'node_modules', '.bin', name);
}

/** Runs a program in the project and returns all it printed. A failure says what that was. */
async function runHere(program: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  try {
    const { stdout } = await run(program, words, {
      cwd: PROJECT,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${words.join(' ')}\n${stdout}\n${stderr}`, { cause: error });
  }
}

describe('clients generated from the API document', () => {
  if (!canInstall) {
    it.skip('are not tested here: the npm registry cannot be reached', () => undefined);
    return;
  }

  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    app = await startTestApp({ stopClock: false });
    ({ key } = await app.account());
    mkdirSync(PROJECT, { recursive: true });
    for (const made of ['out', 'js', 'programs']) {
      rmSync(path.join(PROJECT, made), { recursive: true, force: true });
    }
    cpSync(SOURCE, PROJECT, { recursive: true });
    const { bytes } = await app.api().send('GET', '/v1/openapi.json');
    writeFileSync(path.join(PROJECT, 'openapi.json'), bytes);
    mkdirSync(path.join(PROJECT, 'out', 'openapi-zod-client'), { recursive: true });
    await runHere('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']);
  }, 600_000);
  afterAll(() => app.close());

  it.each(Object.entries(COMMANDS))(
    '%s generates one',
    async (name, command) => {
      const [program = '', ...words] = command.split(' ');
      await runHere(bin(program), words);
      expect(existsSync(path.join(PROJECT, 'out', name))).toBe(true);
    },
    300_000,
  );

  it('compile strictly, and refuse a document without a title and without a template', async () => {
    await runHere(bin('tsc'), ['-p', '.']);
  }, 300_000);

  it.each(NAMES)(
    'the client of %s creates, reads and lists a document',
    async (name) => {
      const env = { DOCUMENT_SERVICE_URL: app.origin, DOCUMENT_SERVICE_KEY: key };
      const printed = await runHere(process.execPath, [`js/programs/${name}.js`], env);
      const { id } = JSON.parse(printed) as { id: string };
      expect((await app.api(key).readDocument(id)).status).toBe(200);
    },
    120_000,
  );
});
