import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { OpenAPIObject, ResponseObject } from '@nestjs/swagger';
import { startTestApp, type TestApp } from '../support/app.js';
import { ApiDocument, type Operation } from './api-document.js';

const run = promisify(execFile);
const GENERATOR = path.resolve('node_modules/openapi-typescript/bin/cli.js');
const TSC = path.resolve('node_modules/typescript/bin/tsc');
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    target: 'ES2022',
    module: 'NodeNext',
    types: ['node'],
    outDir: 'out',
  },
  include: ['*.ts'],
};
/** The program prints the account's archive and the API document, among others. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A response as the program prints it. */
interface Printed {
  method: string;
  path: string;
  status: number;
  headers: Record<string, string>;
  text: string;
}

let app: TestApp;
let document: ApiDocument;
/** A project inside the repository, so it finds the packages, without configuration files of tools. */
let project: string;
let answers: Printed[] = [];

beforeAll(async () => {
  app = await startTestApp({
    stopClock: false,
    environment: { PROCESS_ROLE: 'all' },
    runTasks: true,
  });
  const { body, bytes } = await app.api().send('GET', '/v1/openapi.json');
  document = new ApiDocument(body as OpenAPIObject);
  mkdirSync('.tmp', { recursive: true });
  project = mkdtempSync(path.resolve('.tmp', 'generated-client-'));
  cpSync('test/openapi/generated-client', project, { recursive: true });
  writeFileSync(path.join(project, 'openapi.json'), bytes);
  writeFileSync(path.join(project, 'package.json'), '{"private": true, "type": "module"}');
  writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG));
}, 60_000);

afterAll(async () => {
  await app.close();
  rmSync(project, { recursive: true, force: true });
});

const operationOf = ({ method, path: called }: Printed) =>
  document
    .operations()
    .find((operation) => operation.method === method && operation.path === called) as Operation;

describe('an unmodified openapi-typescript client with openapi-fetch', () => {
  it('compiles strictly without a cast, and its types reject mistakes', async () => {
    const options = { cwd: project };
    await run(process.execPath, [GENERATOR, 'openapi.json', '-o', 'schema.d.ts'], options);
    const said = await run(process.execPath, [TSC, '-p', '.'], options).then(
      () => '',
      (error: unknown) => (error as { stdout: string }).stdout,
    );
    expect(said).toBe('');
  }, 300_000);

  it('gets a success from every operation of the API', async () => {
    const { key } = await app.account();
    const { key: emptyKey } = await app.account();
    const env = {
      PATH: process.env['PATH'],
      DOCUMENT_SERVICE_URL: app.origin,
      DOCUMENT_SERVICE_KEY: key,
      KEY_OF_AN_EMPTY_ACCOUNT: emptyKey,
    };
    const options = { cwd: project, env, maxBuffer: MAX_OUTPUT_BYTES };
    const { stdout } = await run(process.execPath, ['out/every-operation.js'], options);
    answers = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Printed);
    const called = answers.map((answer) => operationOf(answer).operationId);
    const all = document.operations().map(({ operationId }) => operationId);
    expect(all.filter((operationId) => !called.includes(operationId))).toEqual([]);
    expect(answers.filter(({ status }) => status < 200 || status > 299)).toEqual([]);
  }, 300_000);

  it('gets responses that match the API document', () => {
    expect(answers).not.toEqual([]);
    for (const answer of answers) {
      const { operationId, responses } = operationOf(answer);
      const [mediaType = ''] = (answer.headers['content-type'] ?? '').split(';');
      const described = responses[String(answer.status)] as ResponseObject;
      const { content = {} } = document.resolve(described, '').response;
      expect({ operationId, described: Object.keys(content) }).toEqual({
        operationId,
        described: expect.arrayContaining([mediaType]) as string[],
      });
      if (mediaType !== 'application/json') continue;
      const body = JSON.parse(answer.text) as unknown;
      document.expectDescribed(operationId, { ...answer, body, bytes: Buffer.from(answer.text) });
    }
  });
});
