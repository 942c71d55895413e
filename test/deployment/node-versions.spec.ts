import { readFileSync } from 'node:fs';

interface Package {
  engines?: { node?: string };
}
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
const { satisfies } = jest.requireActual<{
  satisfies: (version: string, range: string) => boolean;
}>('semver');

/** The oldest version of each supported line of Node.js, and later ones that people use. */
const VERSIONS = ['20.19.0', '20.20.2', '22.13.0', '22.23.3', '24.11.0', '24.15.0'];

describe('the Node.js versions in package.json', () => {
  it.each(VERSIONS)(
    '%s is supported by every package, so that npm ci prints no warning',
    (version) => {
      const { engines } = read('package.json') as Package;
      expect(satisfies(version, engines?.node ?? '')).toBe(true);
      const packages = read('package-lock.json')['packages'] as Record<string, Package>;
      const refusing = Object.entries(packages)
        .filter(([, { engines: wanted }]) => !satisfies(version, wanted?.node ?? '*'))
        .map(([name]) => name);
      expect(Object.keys(packages).length).toBeGreaterThan(1_000);
      expect(refusing).toEqual([]);
    },
  );
});
