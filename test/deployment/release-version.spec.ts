import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const { version } = readJson('package.json');

describe(`The version of package.json, ${version}`, () => {
  it('The version of the service is the version of each package of the workspace, and of what they require of each other', () => {
    const manifests = ['docs-site/package.json', ...packageManifests()];
    expect(manifests.length).toBeGreaterThan(5);
    for (const file of ['package.json', ...manifests]) {
      const { version: own, dependencies = {} } = readJson(file);
      const siblings = Object.entries(dependencies).filter(([name]) =>
        name.startsWith('@document-service/'),
      );
      expect({ file, own, siblings }).toEqual({
        file,
        own: version,
        siblings: siblings.map(([name]) => [name, version]),
      });
    }
  });

  it('The version of the service is the version of the API documents and of the Python client', () => {
    for (const file of ['openapi.json', 'openapi.dashboard.json']) {
      expect(readJson(file)).toMatchObject({ info: { version } });
    }
    expect(read('sdk-python/document_service/_version.py')).toBe(`__version__ = "${version}"\n`);
    expect(read('sdk-python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
  });

  it('The version of the service is the latest release of the changelog', () => {
    const releases = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)/gm)];
    expect(releases[0]?.[1]).toBe(version);
  });

  it('The version of the service is the tag of the image in each example of a deployment', () => {
    expect(read('Dockerfile')).toContain(`\nARG VERSION=${version}\n`);
    const compose = parse(read('compose.yaml')) as Record<
      string,
      { image: string; build: unknown }
    >;
    expect(compose['x-service']).toMatchObject({
      image: `document-service:\${VERSION:-${version}}`,
      build: { args: { VERSION: `\${VERSION:-${version}}` } },
    });
    const tags = ['deploy/kubernetes', 'docs/operate']
      .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
      .filter((file) => /\.(?:yaml|md)$/.test(file))
      .flatMap((file) => [...read(file).matchAll(/(?:\/document-service:|newTag: )(\d\S*)/g)])
      .map(([, tag]) => tag);
    expect(tags.length).toBeGreaterThan(3);
    expect(new Set(tags)).toEqual(new Set([version]));
  });

  it('A release has a dump that later releases upgrade', () => {
    expect(readJson(`test/upgrade/${version}/release.json`)).toMatchObject({ version });
  });
});

function packageManifests(): string[] {
  return readdirSync('packages')
    .map((folder) => join('packages', folder, 'package.json'))
    .filter((file) => existsSync(file));
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

function readJson(file: string): { version: string; dependencies?: Record<string, string> } {
  return JSON.parse(read(file)) as { version: string; dependencies?: Record<string, string> };
}
