import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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
    skipLibCheck: false,
    typeRoots: [TYPES],
    types: ['node'],
    outDir: 'out',
  },
};
/** How programs resolve the package, and the program that each compiles. */
const SETTINGS = [
  ['Node16, ES modules', { module: 'Node16' }, 'readme.ts'],
  ['Node16, CommonJS', { module: 'Node16' }, 'commonjs.cts'],
  ['NodeNext, ES modules', { module: 'NodeNext' }, 'readme.ts'],
  ['NodeNext, CommonJS', { module: 'NodeNext' }, 'commonjs.cts'],
  ['a bundler', { module: 'ESNext', moduleResolution: 'Bundler', noEmit: true }, 'readme.ts'],
  // The Fetch API comes from the types of Node here.
  ['Node16 without the types of browsers', { module: 'Node16', lib: ['ES2023'] }, 'readme.ts'],
  // As `tsc --init` of TypeScript 6 writes it, but with the types of dependencies checked.
  [
    'the settings of tsc --init',
    {
      module: 'NodeNext',
      lib: undefined,
      types: [],
      verbatimModuleSyntax: true,
      isolatedModules: true,
    },
    'readme.ts',
  ],
] as const;

const readme = readFileSync(path.join(SDK, 'README.md'), 'utf8');

/** Returns the code blocks of the README in a language, in order. */
function blocksOf(language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm');
  return [...readme.matchAll(pattern)].map(([, block = '']) => block);
}

/** The examples of the documentation run this program. Here it is only compiled. */
const program = blocksOf('ts').join('\n');
const [commonJs = ''] = blocksOf('js');
const [receiver = ''] = blocksOf('ts').filter((block) => block.includes('function receive('));

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

/** Compiles files of the project, and returns the errors. */
async function compiled(options: object, files: readonly string[]): Promise<string> {
  const compilerOptions = { ...TSCONFIG.compilerOptions, ...options };
  const config = path.join(project, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  return run(process.execPath, [TSC, '-p', config], { cwd: project }).then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

const zippedSize = (code: string) => gzipSync(code, { level: 9 }).length;

beforeAll(async () => {
  page = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>'));
  page.listen(0, '127.0.0.1');
  await once(page, 'listening');
  const environment = { CORS_ORIGINS: origin(), PROCESS_ROLE: 'all' };
  app = await startTestApp({ stopClock: false, environment });
  ({ key } = await app.account());

  project = mkdtempSync(path.join(tmpdir(), 'sdk-project-'));
  await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: SDK });
  const [tarball = ''] = readdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{"private": true, "type": "module"}');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], {
    cwd: project,
  });
  writeFileSync(path.join(project, 'readme.ts'), program);
  writeFileSync(path.join(project, 'receiver.ts'), receiver);
  for (const copy of ['events.ts', 'events.cts']) {
    copyFileSync('test/sdk/event-types.fixture.ts', path.join(project, copy));
  }
  // As TypeScript users write CommonJS. The types come from the package's CommonJS types.
  const [, body = ''] = commonJs.split('\n\n', 2);
  const rest = commonJs.slice(commonJs.indexOf(body));
  const head = "import { DocumentService } from '@document-service/client';";
  writeFileSync(path.join(project, 'commonjs.cts'), `${head}\n${rest}`);
}, 300_000);

afterAll(async () => {
  page.close();
  await app.close();
  rmSync(project, { recursive: true, force: true });
});

describe('the packed TypeScript client', () => {
  it('the packed TypeScript client contains its program, its types and its documentation, and has one dependency', () => {
    const folder = path.join(project, 'node_modules', '@document-service', 'client');
    expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
    const manifest = JSON.parse(text) as Record<string, unknown>;
    expect(Object.keys(manifest['dependencies'] as object)).toEqual(['openapi-fetch']);
    expect(manifest).toMatchObject({
      publishConfig: { access: 'public', provenance: true },
      repository: { type: 'git', directory: 'packages/client' },
      homepage: expect.stringContaining('#readme') as string,
      bugs: expect.stringContaining('/issues') as string,
      license: 'MIT',
    });
    const packages = readdirSync(path.join(project, 'node_modules'));
    expect(packages.filter((name) => !name.startsWith('.')).sort()).toEqual([
      '@document-service',
      'openapi-fetch',
      'openapi-typescript-helpers',
    ]);
  });

  it('the packed TypeScript client starts its README with installing, in at most 8 KB', () => {
    expect(readme).toMatch(
      /^# .+\n\n.+\n\n## Install\n\n```sh no-run\nnpm install @document-service\/client\b/,
    );
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8 * 1024);
  });

  it('the packed TypeScript client has at most 12 KB gzipped, and verifyWebhook alone at most 2 KB', async () => {
    const whole = await bundled("export * from '@document-service/client';");
    expect(zippedSize(whole)).toBeLessThanOrEqual(12 * 1024);
    const part = await bundled("export { verifyWebhook } from '@document-service/client';");
    expect(zippedSize(part)).toBeLessThanOrEqual(2 * 1024);
    expect(part).not.toContain('/v1/');
  });

  it.each(SETTINGS)(
    'the packed TypeScript client compiles strictly with %s',
    async (_, options, file) => {
      const files =
        file === 'readme.ts' ? [file, 'receiver.ts', 'events.ts'] : [file, 'events.cts'];
      expect(await compiled(options, files)).toBe('');
    },
  );

  it('the packed TypeScript client still compiles programs after the service has added a type of event', async () => {
    const dist = path.join(project, 'node_modules/@document-service/client/dist');
    const schemas = ['esm', 'cjs'].map((build) => path.join(dist, build, 'schema.d.ts'));
    const texts = schemas.map((file) => readFileSync(file, 'utf8'));
    const start = 'export type webhooks = {';
    const added = `${start}
      "invoice.paid": { post: { requestBody: { content: { "application/json": { type: "invoice.paid"; data: { total: number } } } } } };`;
    try {
      schemas.forEach((file, n) => {
        expect(texts[n]).toContain(start);
        writeFileSync(file, texts[n]?.replace(start, added) ?? '');
      });
      expect(await compiled({ module: 'Node16' }, ['readme.ts', 'receiver.ts', 'events.ts'])).toBe(
        '',
      );
      expect(await compiled({ module: 'Node16' }, ['commonjs.cts', 'events.cts'])).toBe('');
      const program = `import type { WebhookEvent } from '@document-service/client';
        export const total = (event: WebhookEvent): number => event.type === 'invoice.paid' ? event.data.total : 0;`;
      writeFileSync(path.join(project, 'added.ts'), program);
      expect(await compiled({ module: 'Node16' }, ['added.ts'])).toBe('');
    } finally {
      schemas.forEach((file, n) => {
        writeFileSync(file, texts[n] ?? '');
      });
    }
  });

  it('the packed TypeScript client verifies deliveries as its README shows', async () => {
    const secret = 'a secret of at least 24 characters';
    const event = { type: 'document.created', data: { document: { id: 'doc_1' } } };
    const body = JSON.stringify(event);
    const headers = signatureHeaders('evt_1', Buffer.from(body), [secret], new Date());
    const request = (text: string) =>
      `new Request('http://localhost', ${JSON.stringify({ method: 'POST', headers, body: text })})`;
    const code = `import { receive } from './out/receiver.js';
      const secret = ${JSON.stringify(secret)};
      console.log((await receive(${request(body)}, secret)).status);
      console.log((await receive(${request(`${body} `)}, secret)).status);`;
    writeFileSync(path.join(project, 'receive.js'), code);
    expect(await node('receive.js')).toEqual(['created doc_1', '204', '400']);
  });

  it('the packed TypeScript client runs in CommonJS, as plain JavaScript and compiled from TypeScript', async () => {
    writeFileSync(path.join(project, 'plain.cjs'), commonJs);
    expect(await node('plain.cjs')).toEqual(['Minutes']);
    expect(await node('out/commonjs.cjs')).toEqual(['Minutes']);
  });

  it('the packed TypeScript client recognizes errors of its other build', async () => {
    const code = `
      import { createRequire } from 'node:module';
      import * as esm from '@document-service/client';
      const commonJs = createRequire(import.meta.url)('@document-service/client');
      const errors = (client) => client.documents.create({ title: '' }, { ifMatch: 1 }).catch((error) => error);
      const names = ['DocumentServiceError', 'ApiError', 'InvalidRequestError', 'ConflictError', 'NotFoundError'];
      for (const [one, other] of [[esm, commonJs], [commonJs, esm]]) {
        const error = await errors(new one.DocumentService());
        console.log(one.ApiError === other.ApiError, ...names.filter((name) => error instanceof other[name]));
        const missing = await new one.DocumentService().documents.get('doc_1').catch((error) => error);
        console.log(...names.filter((name) => missing instanceof other[name]));
      }
      const verifying = commonJs.verifyWebhook({ payload: '', headers: {}, secret: 'x' });
      console.log(await verifying.catch((error) => error instanceof esm.WebhookVerificationError));`;
    writeFileSync(path.join(project, 'copies.mjs'), code);
    expect(await node('copies.mjs')).toEqual([
      'false DocumentServiceError ApiError InvalidRequestError',
      'DocumentServiceError ApiError NotFoundError',
      'false DocumentServiceError ApiError InvalidRequestError',
      'DocumentServiceError ApiError NotFoundError',
      'true',
    ]);
  });

  it('the packed TypeScript client says what to set where the variables are missing', async () => {
    const env = { DOCUMENT_SERVICE_URL: '', DOCUMENT_SERVICE_KEY: '' };
    const error = (await node('plain.cjs', env).catch((thrown: unknown) => thrown)) as {
      stderr: string;
    };
    expect(error.stderr).toContain(
      'DocumentServiceError: To call the Document Service, set its URL (DOCUMENT_SERVICE_URL, or the option baseUrl) and an API key (DOCUMENT_SERVICE_KEY, or the option apiKey).',
    );
  });

  it('the packed TypeScript client works in a page of another origin', async () => {
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
