import { readFileSync } from 'node:fs';
import { environment } from '../../src/platform/config/environment.js';

const compose = readFileSync('compose.yaml', 'utf8');
const example = readFileSync('.env.example', 'utf8');

/** Variables that the other images read. */
const FOREIGN = ['POSTGRES_PASSWORD', 'POSTGRES_INITDB_ARGS', 'DATABASE_PASSWORD', 'VERSION'];

describe('compose.yaml', () => {
  it('sets only variables that the service reads', () => {
    const known = [...Object.keys(environment.shape), ...FOREIGN];
    const set = all(compose, /^\s+([A-Z][A-Z_]+):/gm);
    expect(set).toContain('DATABASE_URL');
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('uses only variables that .env.example explains, which has all that the service reads', () => {
    const taken = all(compose, /\$\{([A-Z_]+)/g);
    expect(taken).toContain('SECRETS_KEY');
    const explained = all(example, /^#?([A-Z_]+)=/gm);
    expect(taken.filter((name) => !explained.includes(name))).toEqual([]);
    const read = Object.keys(environment.shape);
    expect(explained.filter((name) => !taken.includes(name) && !read.includes(name))).toEqual([
      // Read by Compose itself.
      'COMPOSE_PROFILES',
    ]);
    expect(read.filter((name) => !explained.includes(name))).toEqual([]);
  });

  it('does not start without its secrets', () => {
    for (const name of ['SECRETS_KEY', 'DATABASE_PASSWORD', 'POSTGRES_PASSWORD']) {
      const uses = all(compose, new RegExp(`\\$\\{(${name}:[^}]*)\\}`, 'g'));
      expect(uses.length).toBeGreaterThan(0);
      expect(uses.filter((use) => !use.startsWith(`${name}:?`))).toEqual([]);
    }
  });
});

/** Returns the distinct matches of the first group of `pattern`. */
function all(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
}
