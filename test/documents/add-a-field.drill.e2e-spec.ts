import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { editService, type EditedService } from '../support/edited-service.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { exportedArchive, importedArchive } from '../support/jobs.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { drillCases, isFullDrill } from '../support/drills.js';

const GUIDE = 'docs/contribute/add-a-field.md';

/** Returns the files that the guide writes, by path. */
function filesOfGuide(): Map<string, string> {
  const files = new Map<string, string>();
  const blocks = readFileSync(GUIDE, 'utf8').matchAll(/^```(diff|ts)\n([\s\S]*?)^```$/gm);
  for (const [, kind, block = ''] of blocks) {
    const [first = '', ...lines] = block.split('\n');
    const path = first.replace(/^(\/\/|\+\+\+) /, '');
    if (kind === 'ts') files.set(path, lines.join('\n'));
    else files.set(path, edited(path, readFileSync(path, 'utf8'), lines.slice(0, -1)));
  }
  return files;
}

function edited(path: string, source: string, diff: readonly string[]): string {
  return diff
    .join('\n')
    .split(/^@@\n/m)
    .reduce((text, hunk) => {
      const lines = hunk.replace(/\n$/, '').split('\n');
      const side = (left: string) =>
        lines
          .filter((line) => !line.startsWith(left))
          .map((line) => `${line.slice(1)}\n`)
          .join('');
      const [before, after] = [side('+'), side('-')];
      if (text.split(before).length !== 2) {
        throw new Error(`${GUIDE}: not once in ${path}:\n${before}`);
      }
      return text.replace(before, () => after);
    }, source);
}

const files = filesOfGuide();
const parsed = new Map<string, ts.SourceFile | undefined>();

/** Returns the compiler's errors for the sources with these files replaced, or only those in the `named` files. */
function problemsWith(files: ReadonlyMap<string, string>, named?: readonly string[]): string[] {
  const root = process.cwd();
  const { config } = ts.readConfigFile('tsconfig.build.json', (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const texts = new Map([...files].map(([path, text]) => [join(root, path), text]));
  const [fileExists, readSource] = [host.fileExists.bind(host), host.getSourceFile.bind(host)];
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.getSourceFile = (path, version) => {
    const text = texts.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, version);
    if (!parsed.has(path)) parsed.set(path, readSource(path, version));
    return parsed.get(path);
  };
  const program = ts.createProgram([...new Set([...fileNames, ...texts.keys()])], options, host);
  const asked = named?.map((path) => program.getSourceFile(join(root, path)));
  const found = (asked ?? [undefined]).flatMap((file) => program.getSemanticDiagnostics(file));
  return found.map(({ file, messageText }) => {
    const place = file?.fileName.slice(root.length + 1) ?? '';
    return `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** Returns the sources of documents, and all others that import a file of the guide. */
function sourcesAround(files: ReadonlyMap<string, string>): string[] {
  const changed = new Set([...files.keys()].map((path) => resolve(path)));
  const importsOne = (path: string) => {
    const imports = readFileSync(path, 'utf8').matchAll(/ from '(\.[^']*)\.js'/g);
    return [...imports].some(([, name = '']) => changed.has(`${resolve(dirname(path), name)}.ts`));
  };
  const sources = ts.sys.readDirectory('src', ['.ts'], ['**/*.spec.ts']);
  return sources.filter((path) => path.startsWith('src/features/documents/') || importsOne(path));
}

describe('A field added with the guide', () => {
  let edited: EditedService;
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let service: ServiceProcess;
  const account = async () =>
    new ApiClient(service.origin, (await makeAccount(database.dataSource)).key);

  beforeAll(async () => {
    edited = await editService(files);
    database = await openTestDatabase();
    service = await startService(
      {
        DATABASE_URL: database.url,
        SECRETS_KEY: randomBytes(32).toString('base64'),
      },
      `${edited.folder}/main.js`,
    );
  }, 600_000);
  afterAll(async () => {
    await service.end();
    await database.drop();
    await edited.remove();
  });

  it('is in create, read, list, change, version, diff, restore and event', async () => {
    const api = await account();
    const created = expectSuccess(
      await api.createDocument({ title: 'Heat pumps', summary: 'First' }),
      201,
    ) as { id: string };
    const { id } = created;
    const path = `/v1/documents/${id}`;
    expect(created).toMatchObject({ summary: 'First' });
    expect(expectSuccess(await api.readDocument(id))).toMatchObject({ summary: 'First' });
    expect(expectSuccess(await api.listDocuments())).toMatchObject([{ summary: 'First' }]);

    expectSuccess(await api.patchDocument(id, { summary: 'Second' }));
    expect(expectSuccess(await api.patchDocument(id, { summary: null }))).toMatchObject({
      summary: null,
      version: 3,
    });
    expect(expectSuccess(await api.replaceDocument(id, { title: 'Heat pumps' }))).toMatchObject({
      version: 3,
    });
    expectFailure(
      await api.patchDocument(id, { summary: 'x'.repeat(501) }),
      400,
      'INVALID_REQUEST',
    );

    const version = async (n: number) =>
      expectSuccess(await api.send('GET', `${path}/versions/${String(n)}`));
    expect(await version(1)).toMatchObject({ summary: 'First', changes: [] });
    expect(await version(2)).toMatchObject({ summary: 'Second', changes: ['summary'] });
    expect(expectSuccess(await api.send('GET', `${path}/versions/3/diff`))).toMatchObject({
      summary: { from: 'Second', to: null },
    });
    expect(expectSuccess(await api.send('POST', `${path}/versions/1/restore`))).toMatchObject({
      summary: 'First',
      version: 4,
    });
    const eventId = (await api.listEvents({ limit: 1 })).body.data[0].id as string;
    expect(expectSuccess(await api.readEvent(eventId))).toMatchObject({
      data: { document: { summary: 'First' }, changes: ['summary'] },
    });
  });

  it('is in an archive, and is imported with its versions', async () => {
    const [api, other] = [await account(), await account()];
    const { id } = expectSuccess(
      await api.createDocument({ title: 'Kept', summary: 'First' }),
      201,
    ) as { id: string };
    expectSuccess(await api.patchDocument(id, { summary: 'Second' }));
    const archive = await exportedArchive(api);
    expect(archive).toContain('"summary":"First"');
    expectSuccess(await api.deleteDocument(id, { permanent: true }));
    expect(await importedArchive(other, archive)).toMatchObject({ status: 'succeeded' });
    expect(expectSuccess(await other.readDocument(id))).toMatchObject({ summary: 'Second' });
    const first = await other.send('GET', `/v1/documents/${id}/versions/1`);
    expect(expectSuccess(first)).toMatchObject({ summary: 'First' });
  });

  it('is in the API document', async () => {
    const { body } = await new ApiClient(service.origin, undefined).send('GET', '/v1/openapi.json');
    const { schemas } = (
      body as unknown as { components: { schemas: Record<string, { properties: object }> } }
    ).components;
    for (const name of ['Document', 'CreateDocument', 'PatchDocument', 'Version', 'VersionDiff']) {
      expect(schemas[name]?.properties).toHaveProperty('summary');
    }
  });
});

describe('A field added with the guide, for the compiler,', () => {
  it('needs seven files and the API document', () => {
    expect(files.size).toBe(7);
    const sources = isFullDrill ? undefined : [...files.keys(), ...sourcesAround(files)];
    expect(problemsWith(files, sources)).toEqual([]);
  }, 600_000);

  const MAP = 'src/features/documents/model/document-fields.ts';
  const VERSION = 'src/features/documents/model/document-version.entity.ts';
  const ANSWER = 'src/features/documents/dto/document.dto.ts';
  const BODIES = 'src/features/documents/dto/write-document.dto.ts';
  const forgotten: [string, string, RegExp, string][] = [
    ['in versions', MAP, /(summary: \{[^}]*\}[^}]*)versioned: 'copy'/, '$1versioned: false'],
    ['in archives', MAP, /take\(orNull\(isText\(MAX_SUMMARY\)\)\)/, 'false'],
    ['in a trait', MAP, /(summary: \{[^}]*\}[^}]*)searchable: false,/, '$1'],
    ['in the table of versions', VERSION, /summary: string \| null;/, 'other: string | null;'],
    ['in answers', ANSWER, /summary: string \| null;/, 'other: string | null;'],
    ['in bodies', BODIES, /summary\?: string \| null;/g, 'other?: string | null;'],
  ];
  it.each(drillCases(forgotten, (_, index) => index % 3 === 0))(
    'does not compile if it is missing: %s',
    (_, path, said, instead) => {
      const text = files.get(path) ?? '';
      const incomplete = text.replace(said, instead);
      expect(incomplete).not.toBe(text);
      const sources = ts.sys.readDirectory('src/features/documents', ['.ts'], ['**/*.spec.ts']);
      const problems = problemsWith(new Map([...files, [path, incomplete]]), sources);
      expect(problems.join('\n')).toMatch(/summary/);
    },
    600_000,
  );
});
