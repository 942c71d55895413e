import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECT_FOLDER } from './node-process.js';
import { LINE_NAMES } from './ordinary/traffic.js';
import type { LineName } from './ordinary/traffic.js';

export const SCENARIO_NAMES = [
  'ordinary',
  'tenants',
  'deliveries',
  'flood',
  'start-up',
  'lists',
] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

/** A build of the service with an environment. Each one is a side of its own, with its own database. */
export interface Variant {
  label: string;
  /** The folder with `main.js` and `cli.js`. */
  dist: string;
  env: Record<string, string>;
}

export interface BenchOptions {
  scenarios: ScenarioName[];
  /** Lines of ordinary traffic. */
  lines: LineName[];
  rounds: number;
  /** Length of each measured leg. */
  seconds: number;
  warmUpSeconds: number;
  connections: number;
  /** Determines which documents ordinary traffic creates and requests. */
  seed: number;
  /** Ordinary traffic: number of accounts, and documents in each. */
  accounts: number;
  accountDocuments: number;
  /** The same for many tenants. */
  tenants: number;
  tenantDocuments: number;
  /** Numbers of documents in the small and the large account, for lists. */
  listSizes: [number, number];
  /** Number of requests for each kind of list, one at a time. */
  listRequests: number;
  /** This checkout's build first, then each lever and each other build. */
  variants: [Variant, ...Variant[]];
  /** Address of your own PostgreSQL 18. If undefined, starts the embedded one. */
  postgres: string | undefined;
  /** Replaces the results in bench/README.md. */
  readme: boolean;
}

export const USAGE = `Usage: npm run bench -- [options]
  --scenario NAME         only this one, repeatable: ${SCENARIO_NAMES.join(', ')}
  --line NAME             only this line of ordinary traffic, repeatable:
                          ${LINE_NAMES.join(', ')}
  --quick                 one short round with few documents, to see that everything works
  --rounds N              interleaved rounds (3)
  --seconds N             length of each measured leg (5)
  --warm-up N             seconds before each leg that do not count (2)
  --connections N         connections of ordinary traffic (32)
  --accounts N            accounts of ordinary traffic (40)
  --account-documents N   documents in each of them (1000)
  --tenants N             accounts of the scenario tenants (1000)
  --tenant-documents N    documents in each of them (200)
  --list-sizes A,B        documents in the small and the large account of lists (10000,1000000)
  --list-requests N       requests for each kind of list (200)
  --seed N                which documents, pages and words are drawn (1)
  --env NAME=VALUE        environment of every service, repeatable
  --lever NAME=VALUE      measure the service with this environment too, repeatable;
                          NAME=VALUE,NAME=VALUE switches several at once
  --other FOLDER          measure another build too, repeatable: a checkout that is built, or its dist folder
  --postgres URL          use this PostgreSQL 18 or later, on this machine; its user may create databases
  --readme                replace the results in bench/README.md`;

const WHOLE = {
  rounds: 3,
  seconds: 5,
  'warm-up': 2,
  connections: 32,
  accounts: 40,
  'account-documents': 1_000,
  tenants: 1_000,
  'tenant-documents': 200,
  'list-sizes': '10000,1000000',
  'list-requests': 200,
  seed: 1,
};
const QUICK: typeof WHOLE = {
  ...WHOLE,
  rounds: 1,
  seconds: 2,
  'warm-up': 1,
  accounts: 4,
  'account-documents': 50,
  tenants: 20,
  'tenant-documents': 50,
  'list-sizes': '1000,10000',
  'list-requests': 20,
};

/** Reads the command line. Throws an Error with one sentence if it is wrong. */
export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      scenario: { type: 'string', multiple: true, default: [...SCENARIO_NAMES] },
      line: { type: 'string', multiple: true, default: [...LINE_NAMES] },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
      connections: { type: 'string' },
      accounts: { type: 'string' },
      'account-documents': { type: 'string' },
      tenants: { type: 'string' },
      'tenant-documents': { type: 'string' },
      'list-sizes': { type: 'string' },
      'list-requests': { type: 'string' },
      seed: { type: 'string' },
      env: { type: 'string', multiple: true, default: [] },
      lever: { type: 'string', multiple: true, default: [] },
      other: { type: 'string', multiple: true, default: [] },
      postgres: { type: 'string' },
      readme: { type: 'boolean', default: false },
    },
  });
  const defaults = values.quick ? QUICK : WHOLE;
  const number = (name: Exclude<keyof typeof WHOLE, 'list-sizes'>): number =>
    readNumber(`--${name}`, values[name] ?? String(defaults[name]));
  const [small = 0, large = small] = (values['list-sizes'] ?? defaults['list-sizes'])
    .split(',')
    .map((size) => readNumber('--list-sizes', size));
  const env = readEnvironment(values.env);
  const dist = path.join(PROJECT_FOLDER, 'dist');
  return {
    scenarios: values.scenario.map((name) => choose('--scenario', name, SCENARIO_NAMES)),
    lines: values.line.map((name) => choose('--line', name, LINE_NAMES)),
    rounds: number('rounds'),
    seconds: number('seconds'),
    warmUpSeconds: number('warm-up'),
    connections: number('connections'),
    seed: number('seed'),
    accounts: number('accounts'),
    accountDocuments: number('account-documents'),
    tenants: number('tenants'),
    tenantDocuments: number('tenant-documents'),
    listSizes: [small, large],
    listRequests: number('list-requests'),
    variants: [
      { label: 'service', dist, env },
      ...values.lever.map((label) => {
        return { label, dist, env: { ...env, ...readEnvironment(label.split(',')) } };
      }),
      ...values.other.map((folder) => ({ label: folder, dist: findBuild(folder), env })),
    ],
    postgres: values.postgres,
    readme: values.readme,
  };
}

function readNumber(option: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${option} takes a positive number, not '${text}'.`);
}

function choose<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const known = names.find((name) => name === text);
  if (known !== undefined) return known;
  throw new Error(`${option} takes one of ${names.join(', ')}, not '${text}'.`);
}

function readEnvironment(assignments: string[]): Record<string, string> {
  return Object.fromEntries(
    assignments.map((text) => {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
      if (name !== undefined && value !== undefined) return [name, value];
      throw new Error(`'${text}' is not of the form NAME=VALUE.`);
    }),
  );
}

/** Returns the folder with `main.js`, which is `folder` or its `dist`. */
function findBuild(folder: string): string {
  const found = [path.resolve(folder, 'dist'), path.resolve(folder)].find((candidate) =>
    existsSync(path.join(candidate, 'main.js')),
  );
  if (found !== undefined) return found;
  throw new Error(`${folder} contains no build. Run \`npm run build:service\` there first.`);
}
