import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { signatureHeaders } from '../../src/features/webhooks/signing/signature.js';
import { callsOf } from '../../scripts/sdk-operations.mjs';
import { makeAccount } from '../support/accounts.js';
import { describeWith } from '../support/describe-with.js';
import { eventually } from '../support/eventually.js';
import { FaultProxy, type Fault } from '../support/fault-proxy.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';

const run = promisify(execFile);
const SDK = path.resolve('sdk-python');
const PYRIGHT = path.resolve('node_modules/pyright/index.js');
const FENCES = /^```python\n([^]*?)^```$/gm;

interface ApiDocument {
  paths: Record<string, Record<string, ApiOperation>>;
}

interface ApiOperation {
  operationId: string;
  requestBody?: RequestBody;
  'x-signed-in-people'?: true;
}

interface RequestBody {
  content: Record<string, { schema: { $ref?: string } }>;
}

const blocks = [...readFileSync(path.join(SDK, 'README.md'), 'utf8').matchAll(FENCES)];
const example = blocks.map(([, block = '']) => block).join('\n');

function versionOf(python: string): string | undefined {
  try {
    const code = 'import sys; print("%d.%d" % sys.version_info[:2])';
    return execFileSync(python, ['-c', code], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

/** `python3`, and other installed versions that the client supports: one program for each version. */
function pythons(): [version: string, program: string][] {
  const folder = path.join(process.env['PYENV_ROOT'] ?? path.join(homedir(), '.pyenv'), 'versions');
  const others = existsSync(folder) ? readdirSync(folder) : [];
  const programs = ['python3', ...others.map((name) => path.join(folder, name, 'bin', 'python3'))];
  const found = new Map<string, string>();
  for (const program of programs) {
    const version = versionOf(program);
    const isSupported = version && Number(version.split('.')[1]) >= 9 && version.startsWith('3.');
    if (isSupported && !found.has(version)) found.set(version, program);
  }
  return [...found];
}

const installed = pythons();
const [, python] = installed[0] ?? ['', 'python3'];

if (process.env['CI'] === 'true' && installed.length === 0) {
  throw new Error('Install python3 (3.9 or later): in CI the tests of the Python client must run.');
}

describeWith('python3 (3.9 or later)', installed.length > 0, 'the Python client', () => {
  let folder: string;

  const environment = (variables: Record<string, string> = {}) => ({
    PATH: process.env['PATH'],
    PYTHONPATH: SDK,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONIOENCODING: 'utf-8',
    ...variables,
  });
  const script = (name: string) => path.join(SDK, 'tests', 'service', `${name}.py`);

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'python-client-'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  // All versions at once, because the unit tests mostly wait.
  it('compiles and passes its unit tests with each installed version of Python', async () => {
    const options = { cwd: SDK, env: environment({ PYTHONDONTWRITEBYTECODE: '' }) };
    const compiled = path.join(folder, 'compiled');
    const compile = { ...options, env: { ...options.env, PYTHONPYCACHEPREFIX: compiled } };
    const packages = ['-m', 'compileall', '-q', 'document_service', 'build_backend'];
    const outputs = await Promise.all(
      installed.map(async ([version, program]) => {
        await run(program, packages, compile);
        return [version, (await run(program, ['-B', '-m', 'unittest'], options)).stderr] as const;
      }),
    );
    for (const [version, output] of outputs) {
      expect([version, output]).toEqual([version, expect.stringMatching(/^Ran \d{2,} tests/m)]);
      expect([version, output]).toEqual([version, expect.stringMatching(/^OK/m)]);
    }
  }, 180_000);

  it('The Python client has no errors for pyright in strict mode: the package, its tests, and the README', async () => {
    const checked = path.join(folder, 'readme');
    mkdirSync(checked);
    const settings = {
      include: [
        checked,
        ...['document_service', 'build_backend', 'tests'].map((name) => path.join(SDK, name)),
      ],
      extraPaths: [SDK, path.join(SDK, 'build_backend')],
      pythonVersion: '3.9',
      typeCheckingMode: 'strict',
    };
    writeFileSync(path.join(checked, 'readme_example.py'), example);
    const file = path.join(checked, 'pyrightconfig.json');
    writeFileSync(file, JSON.stringify(settings));
    const checking = run(process.execPath, [PYRIGHT, '-p', file, '--pythonpath', python]);
    const { stdout } = await checking.catch((error: unknown) => error as { stdout: string });
    expect(stdout).toContain('0 errors, 0 warnings');
  }, 120_000);

  it('The Python client finds wrong types with pyright, so that its types are checked at all', async () => {
    const wrong = path.join(folder, 'wrong');
    const lines = [
      'client.documents.create({"titel": "x"})',
      'client.documents.create({"title": 5})',
      'client.documents.list(status="new")',
      'print(client.documents.get("x")["titel"])',
      'client.webhooks.create({"url": "https://example.com", "events": ["document.make"]})',
    ];
    const head = 'from document_service import DocumentService\nclient = DocumentService()\n';
    mkdirSync(wrong);
    writeFileSync(path.join(wrong, 'wrong.py'), head + lines.join('\n'));
    const settings = { include: [wrong], extraPaths: [SDK], pythonVersion: '3.9' };
    const file = path.join(wrong, 'pyrightconfig.json');
    writeFileSync(file, JSON.stringify(settings));
    const checking = run(process.execPath, [PYRIGHT, '-p', file, '--outputjson']);
    const { stdout } = await checking.catch((error: unknown) => error as { stdout: string });
    const { generalDiagnostics } = JSON.parse(stdout) as {
      generalDiagnostics: { range: { start: { line: number } } }[];
    };
    const found = new Set(generalDiagnostics.map(({ range }) => range.start.line));
    expect([...found].sort()).toEqual(lines.map((_, index) => index + 2));
  }, 120_000);

  it('installs with pip without a network', async () => {
    const venv = path.join(folder, 'venv');
    const made = await run(python, ['-m', 'venv', venv]).then(
      () => true,
      () => false,
    );
    // Debian puts `venv` in a package of its own.
    if (!made && process.env['CI'] !== 'true') {
      process.stderr.write('pip is not tested here: install python3-venv.\n');
      return;
    }
    const env = {
      PATH: process.env['PATH'],
      PIP_NO_INDEX: '1',
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
    };
    await run(path.join(venv, 'bin', 'pip'), ['install', SDK], { cwd: folder, env });
    const code = 'import document_service as d; print(d.__file__, d.__version__)';
    const program = path.join(venv, 'bin', 'python');
    const { stdout } = await run(program, ['-c', code], { cwd: folder, env });
    expect(stdout).toContain(venv);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(stdout.trim().endsWith(` ${version}`)).toBe(true);
  }, 180_000);

  it('The Python client has a method for each operation of openapi.json that sends its request', async () => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as ApiDocument;
    const table = Object.entries(paths).flatMap(([route, item]) =>
      Object.entries(item)
        .filter(([, operation]) => !operation['x-signed-in-people'])
        .map(([method, { operationId, requestBody }]) => ({
          operationId,
          method: method.toUpperCase(),
          path: route,
          call: callsOf(operationId).python.replace('client.', ''),
          hasBody:
            requestBody !== undefined &&
            !requestBody.content['application/json']?.schema.$ref?.endsWith('/NoFields'),
        })),
    );
    const file = path.join(folder, 'operations.json');
    writeFileSync(file, JSON.stringify(table));
    const { stdout } = await run(python, [script('operations'), file], { env: environment() });
    expect(JSON.parse(stdout)).toEqual({ called: table.length, wrong: [] });
  }, 60_000);

  it('verifies a webhook that the service signed', async () => {
    const secret = 'a secret of at least 24 characters';
    const body = JSON.stringify({ type: 'document.created', data: { title: 'ü ✓' } });
    const headers = signatureHeaders('evt_1', Buffer.from(body), ['new', secret], new Date());
    const code = `
import json, sys
from document_service import verify_webhook, WebhookVerificationError
body, headers = sys.argv[1].encode(), json.loads(sys.argv[2])
print(verify_webhook(body, headers, ["old", sys.argv[3]])["data"]["title"])
try:
    verify_webhook(body + b" ", headers, sys.argv[3])
except WebhookVerificationError:
    print("refused")
`;
    const parameters = ['-c', code, body, JSON.stringify(headers), secret];
    const { stdout } = await run(python, parameters, { env: environment() });
    expect(stdout).toBe('ü ✓\nrefused\n');
  });

  describe('with a running service', () => {
    let database: Awaited<ReturnType<typeof openTestDatabase>>;
    let service: ServiceProcess;
    let settings: Record<string, string>;

    const account = async () =>
      (await makeAccount(database.dataSource, { plan: 'enterprise' })).key;
    const access = (key: string, url = service.origin) =>
      environment({ DOCUMENT_SERVICE_URL: url, DOCUMENT_SERVICE_KEY: key });

    beforeAll(async () => {
      database = await openTestDatabase();
      settings = {
        DATABASE_URL: database.url,
        SECRETS_KEY: randomBytes(32).toString('base64'),
        DATA_DIR: path.join(folder, 'data'),
      };
      service = await startService(settings);
    }, 120_000);

    afterAll(async () => {
      await service.end();
      await database.drop();
    });

    it('The Python client uses all of its resources', async () => {
      const env = { ...access(await account()), OTHER_KEY: await account() };
      const { stdout } = await run(python, ['-W', 'error::ResourceWarning', script('everything')], {
        env,
      });
      expect(stdout).toBe('everything works\n');
    }, 180_000);

    it('The Python client runs its README from top to bottom with the printed values', async () => {
      const file = path.join(folder, 'readme_example.py');
      writeFileSync(file, example);
      const prints = [...example.matchAll(/^ *print\(.*\) {2}# (.+)$/gm)].map(([, value]) => value);
      expect(prints.length).toBeGreaterThan(10);
      const { stdout } = await run(python, [file], { cwd: folder, env: access(await account()) });
      expect(stdout.trim().split('\n')).toEqual(prints);
    }, 120_000);

    it.each<[string, Fault]>([
      ['a lost connection', 'reset'],
      ['a lost response', 'lose-answer'],
      ['half a response', 'cut-answer'],
      ['503', { status: 503 }],
    ])('creates one document after %s', async (_, fault) => {
      const proxy = await FaultProxy.start(service.origin);
      try {
        proxy.fail(fault, fault);
        const code = `
from document_service import DocumentService
client = DocumentService(retry_delay=0.05)
client.documents.create({"title": "once"})
print(client.documents.list().page().total)
`;
        const env = access(await account(), proxy.origin);
        const { stdout } = await run(python, ['-c', code], { env });
        expect(stdout).toBe('1\n');
        expect(proxy.seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET']);
      } finally {
        await proxy.close();
      }
    });

    it('follows every event across two restarts of the service', async () => {
      const env = access(await account());
      const count = 120;
      const follower = spawn(python, [script('follow'), String(count)], { env });
      const writer = spawn(python, [script('write'), String(count)], { env });
      const output = { followed: '', written: '', errors: '' };
      follower.stdout.on('data', (chunk: Buffer) => (output.followed += chunk.toString()));
      writer.stdout.on('data', (chunk: Buffer) => (output.written += chunk.toString()));
      for (const child of [follower, writer]) {
        child.stderr.on('data', (chunk: Buffer) => (output.errors += chunk.toString()));
      }
      const ended = Promise.all([once(follower, 'exit'), once(writer, 'exit')]);
      const lines = (text: string) => text.trim().split('\n');
      for (const [signal, at] of [
        ['SIGKILL', 20],
        ['SIGTERM', 60],
      ] as const) {
        await eventually(() => lines(output.followed).length >= at);
        await service.end(signal);
        service = await startService({ ...settings, PORT: String(service.port) });
      }
      expect(await ended).toEqual([
        [0, null],
        [0, null],
      ]);
      expect(output.errors).toBe('');
      expect(lines(output.written)).toHaveLength(count);
      expect(new Set(lines(output.followed))).toEqual(new Set(lines(output.written)));
    }, 180_000);
  });
});
