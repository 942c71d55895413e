import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { signatureHeaders } from '../../src/features/webhooks/signing/signature.js';
import { startTestApp, type TestApp } from '../support/app.js';

const run = promisify(execFile);
const SDK = path.resolve('packages/client');
const BUNDLER = path.resolve('test/support/bundle.mjs');
const TSC = path.resolve('node_modules/typescript/bin/tsc');
const TYPES = path.resolve('node_modules/@types');

/** Users of the package have none of this repository's packages, except the types of Node. */
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    typeRoots: [TYPES],
    types: ['node'],
    outDir: 'out',
  },
  include: ['*.ts'],
};
const RESOLUTIONS = [
  { module: 'NodeNext', moduleResolution: 'NodeNext' },
  { module: 'ESNext', moduleResolution: 'Bundler', noEmit: true },
];

interface Example {
  name: string;
  code: string;
  /** The output that its comments describe, line by line. */
  prints: string[];
}

/** Returns the code blocks of the README in order. The first one creates the client for the others. */
function examplesOf(readme: string): Example[] {
  const blocks = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const [first = '', ...others] = blocks;
  return [first, ...others.map((block) => `${first}\n${block}`)].map((code, index) => ({
    name: `example-${String(index)}`,
    code,
    prints: [...code.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(([, line = '']) => line),
  }));
}

const readme = readFileSync(path.join(SDK, 'README.md'), 'utf8');
const examples = examplesOf(readme);

let app: TestApp;
let key: string;
let project: string;
let page: Server;

const origin = () => `http://127.0.0.1:${String((page.address() as AddressInfo).port)}`;

async function node(file: string, environment: Record<string, string> = {}): Promise<string[]> {
  const env = {
    PATH: process.env['PATH'],
    DOCUMENT_SERVICE_URL: app.origin,
    DOCUMENT_SERVICE_KEY: key,
    ...environment,
  };
  const { stdout } = await run(process.execPath, [file], { cwd: project, env });
  return stdout.split('\n').filter((line) => line !== '');
}

/** Bundles a program of the project into one file. */
async function bundled(code: string): Promise<string> {
  writeFileSync(path.join(project, 'entry.js'), code);
  const { stdout } = await run(process.execPath, [BUNDLER, 'entry.js'], { cwd: project });
  return stdout;
}

const zippedSize = (code: string) => gzipSync(code, { level: 9 }).length;

beforeAll(async () => {
  page = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>'));
  page.listen(0, '127.0.0.1');
  await once(page, 'listening');
  app = await startTestApp({ stopClock: false, environment: { CORS_ORIGINS: origin() } });
  ({ key } = await app.account());

  project = mkdtempSync(path.join(tmpdir(), 'sdk-project-'));
  await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: SDK });
  const [tarball = ''] = readdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{"private": true, "type": "module"}');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], {
    cwd: project,
  });
  for (const { name, code } of examples) writeFileSync(path.join(project, `${name}.ts`), code);
}, 300_000);

afterAll(async () => {
  page.close();
  await app.close();
  rmSync(project, { recursive: true, force: true });
});

describe('the packed TypeScript client', () => {
  it('contains its program, its types and its documentation, and has one dependency', () => {
    const folder = path.join(project, 'node_modules', '@document-service', 'client');
    expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
    const { dependencies } = JSON.parse(text) as { dependencies: object };
    expect(Object.keys(dependencies)).toEqual(['openapi-fetch']);
    const packages = readdirSync(path.join(project, 'node_modules'));
    expect(packages.filter((name) => !name.startsWith('.')).sort()).toEqual([
      '@document-service',
      'openapi-fetch',
      'openapi-typescript-helpers',
    ]);
  });

  it('has at most 12 KB gzipped, and verifyWebhook alone at most 2 KB', async () => {
    const whole = await bundled("export * from '@document-service/client';");
    expect(zippedSize(whole)).toBeLessThanOrEqual(12 * 1024);
    const part = await bundled("export { verifyWebhook } from '@document-service/client';");
    expect(zippedSize(part)).toBeLessThanOrEqual(2 * 1024);
    expect(part).not.toContain('/v1/');
  });

  it.each(RESOLUTIONS)(
    'compiles strictly in a program with module resolution %j',
    async (options) => {
      const compilerOptions = { ...TSCONFIG.compilerOptions, ...options };
      const file = path.join(project, 'tsconfig.json');
      writeFileSync(file, JSON.stringify({ ...TSCONFIG, compilerOptions }));
      const compiling = run(process.execPath, [TSC, '-p', file], { cwd: project });
      const said = await compiling.then(
        () => '',
        (error: unknown) => (error as { stdout: string }).stdout,
      );
      expect(said).toBe('');
    },
  );

  it.each(examples)('runs $name of its README with the printed output', async (example) => {
    const { name, code, prints } = example;
    const out = path.join('out', `${name}.js`);
    if (code.includes('function receive(')) {
      const secret = 'a secret of at least 24 characters';
      const event = { type: 'document.created', data: { document: { id: 'doc_1' } } };
      const body = JSON.stringify(event);
      const headers = signatureHeaders('evt_1', Buffer.from(body), [secret], new Date());
      const request = (text: string) =>
        `new Request('http://localhost', ${JSON.stringify({ method: 'POST', headers, body: text })})`;
      const program = `import { receive } from './${out}';
        console.log((await receive(${request(body)})).status);
        console.log((await receive(${request(`${body} `)})).status);`;
      writeFileSync(path.join(project, 'receive.js'), program);
      expect(await node('receive.js', { OLD_WEBHOOK_SECRET: secret })).toEqual([
        'created doc_1',
        '204',
        '400',
      ]);
      return;
    }
    const api = app.api(key);
    const writing = code.includes('events.stream(')
      ? setInterval(() => void api.createDocument({ title: 'news' }), 500)
      : undefined;
    try {
      const printed = await node(out);
      expect(printed).toEqual(prints);
    } finally {
      clearInterval(writing);
    }
  });

  it('works in a page of another origin', async () => {
    const code = await bundled(`
      import { DocumentService, NotFoundError } from '@document-service/client';
      globalThis.tryOut = async (baseUrl, apiKey) => {
        const client = new DocumentService({ baseUrl, apiKey });
        const { data, requestId, etag } = await client.documents.create({ title: 'From a page' }).withResponse();
        const changed = await client.documents.update(data.id, ({ title }) => ({ title: title + '!' }));
        const { data: first } = await client.documents.list({ limit: 1, sort: 'updated_at' });
        const missing = await client.documents.get('doc_1').catch((error) => error instanceof NotFoundError);
        const file = new File(['# Uploaded'], 'notes.md');
        const imported = await client.documents.import({ file });
        const types = [];
        const [event] = await client.events.list({ order: 'asc', limit: 1 }).toArray({ limit: 1 });
        for await (const { type } of client.events.stream({ lastEventId: event.id })) {
          if (types.push(type) === 1) break;
        }
        return { requestId, etag, title: changed.title, listed: first[0].id === data.id, missing,
          imported: imported.title, types: types.length };
      };`);
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox'],
    });
    try {
      const tab = await browser.newPage();
      await tab.goto(origin());
      await tab.addScriptTag({ content: code, type: 'module' });
      const call = `globalThis.tryOut(${JSON.stringify(app.origin)}, ${JSON.stringify(key)})`;
      expect(await tab.evaluate(call)).toEqual({
        requestId: expect.stringMatching(/^req_/) as string,
        etag: '"1"',
        title: 'From a page!',
        listed: true,
        missing: true,
        imported: 'Uploaded',
        types: 1,
      });
    } finally {
      await browser.close();
    }
  }, 120_000);
});
