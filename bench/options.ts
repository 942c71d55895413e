import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECT_FOLDER } from './node-process.js';
import { LINE_NAMES } from './ordinary/traffic.js';
import type { LineName } from './ordinary/traffic.js';

const SCENARIO_NAMES = ['ordinary', 'tenants', 'deliveries', 'flood', 'start-up', 'lists'] as const;
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
  lines: LineName[];
  rounds: number;
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

/** Each with its value in a whole run, and in a quick one that only shows that everything works. */
const NUMBERS = {
  rounds: [3, 1, 'interleaved rounds'],
  seconds: [5, 2, 'length of each measured leg'],
  'warm-up': [2, 1, 'seconds before each leg that do not count'],
  connections: [32, 32, 'connections of ordinary traffic'],
  accounts: [40, 4, 'accounts of ordinary traffic'],
  'account-documents': [1_000, 50, 'documents in each of them'],
  tenants: [1_000, 20, 'accounts of the scenario tenants'],
  'tenant-documents': [200, 50, 'documents in each of them'],
  'small-list': [10_000, 1_000, 'documents in the small account of the scenario lists'],
  'large-list': [1_000_000, 10_000, 'documents in its large account'],
  'list-requests': [200, 20, 'requests for each kind of list'],
  seed: [1, 1, 'which documents, pages and words are drawn'],
} as const;

export const USAGE = `Usage: npm run bench -- [options]
  --scenario NAME        only this one, repeatable: ${SCENARIO_NAMES.join(', ')}
  --line NAME            only this line of ordinary traffic, repeatable:
                         ${LINE_NAMES.join(', ')}
  --other FOLDER         measure another build too, repeatable: a checkout that is built, or its dist folder
  --lever NAME=VALUE     measure the service with this environment too, repeatable;
                         NAME=VALUE,NAME=VALUE switches several at once
  --env NAME=VALUE       environment of every service, repeatable
  --postgres URL         use this PostgreSQL 18 or later, on this machine; its user may create databases
  --readme               replace the results in bench/README.md
  --quick                one short round with few documents, to see that everything works
${Object.entries(NUMBERS)
  .map(([name, [whole, , help]]) => `  --${`${name} N`.padEnd(20)} ${help} (${String(whole)})`)
  .join('\n')}`;

/** Reads the command line. Throws an Error with one sentence if it is wrong. */
export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      scenario: { type: 'string', multiple: true, default: [...SCENARIO_NAMES] },
      line: { type: 'string', multiple: true, default: [...LINE_NAMES] },
      other: { type: 'string', multiple: true, default: [] },
      lever: { type: 'string', multiple: true, default: [] },
      env: { type: 'string', multiple: true, default: [] },
      postgres: { type: 'string' },
      readme: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      ...(Object.fromEntries(
        Object.keys(NUMBERS).map((name) => [name, { type: 'string' }]),
      ) as Record<keyof typeof NUMBERS, { type: 'string' }>),
    },
  });
  const number = (name: keyof typeof NUMBERS): number => {
    const value = Number(values[name] ?? NUMBERS[name][values.quick ? 1 : 0]);
    if (Number.isInteger(value) && value > 0) return value;
    throw new Error(`--${name} takes a positive integer, not '${String(values[name])}'.`);
  };
  const env = readEnvironment(values.env);
  const dist = path.join(PROJECT_FOLDER, 'dist');
  const levers = values.lever.map((label) => {
    return { label, dist, env: { ...env, ...readEnvironment(label.split(',')) } };
  });
  const others = values.other.map((label) => ({ label, dist: findBuild(label), env }));
  if (values.readme && (values.quick || levers.length + others.length > 0)) {
    throw new Error('--readme cannot be combined with --quick, --lever or --other.');
  }
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
    listSizes: [number('small-list'), number('large-list')],
    listRequests: number('list-requests'),
    variants: [{ label: 'service', dist, env }, ...levers, ...others],
    postgres: values.postgres,
    readme: values.readme,
  };
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
