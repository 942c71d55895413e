import { parseArgs } from 'node:util';

export const SCENARIO_NAMES = [
  'ordinary',
  'list',
  'page-400',
  'flood',
  'deliveries',
  'start-up',
  'lists',
] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

/** A mechanism of the service that is switched by its environment, measured in addition to the service. */
export interface Lever {
  label: string;
  env: Record<string, string>;
}

export interface BenchOptions {
  rounds: number;
  /** Length of each measured leg. */
  seconds: number;
  warmUpSeconds: number;
  /** Determines which documents ordinary traffic creates and requests. */
  seed: number;
  /** Number of accounts, documents in each, and documents in one additional account, for ordinary traffic. */
  ordinary: { accounts: number; accountDocuments: number; largeDocuments: number };
  /** Numbers of documents in the account. */
  sizes: number[];
  scenarios: ScenarioName[];
  /** Numbers of documents in the small and the large account, for lists. */
  listSizes: [number, number];
  /** Number of requests for each kind of list, one at a time. */
  listRequests: number;
  /** Added to the environment of every service process. */
  env: Record<string, string>;
  levers: Lever[];
  /** Address of your own PostgreSQL 18. If undefined, starts the embedded one. */
  postgres: string | undefined;
  baselineTwice: boolean;
  /** Name of the files in bench/reports. */
  report: string;
}

export const USAGE = `Usage: npm run bench -- [options]
  --quick              one round of 2 s at 10,000 documents, to see that everything works;
                       4 accounts of 50 documents and one of 1,000; lists of 1,000 and 10,000
  --rounds N           interleaved rounds (3)
  --seconds N          length of each measured leg (5)
  --warm-up N          seconds before each leg that do not count (2)
  --accounts N         accounts of ordinary traffic, beside the large one (40)
  --account-documents N  documents in each of them (1000)
  --large-documents N  documents in the large one (200000)
  --seed N             which documents, pages and words ordinary traffic draws (1)
  --sizes A,B          documents in the account of hot and deep pages (10000,200000)
  --list-sizes A,B     documents in the small and the large account of lists (10000,1000000)
  --list-requests N    requests for each kind of list (200)
  --scenario NAME      only this one, repeatable: ${SCENARIO_NAMES.join(', ')}
  --env NAME=VALUE     environment of the service, repeatable
  --lever NAME=VALUE   one more service with this environment, on lines of its own, repeatable;
                       NAME=VALUE,NAME=VALUE switches several at once
  --postgres URL       use this PostgreSQL 18 or later, whose user may create databases
  --baseline-twice     the baseline on both sides: the ratios show the noise of this machine
  --report NAME        write bench/reports/NAME.{json,md} (latest, or partial for a shortened run)`;

const WHOLE = {
  rounds: 3,
  seconds: 5,
  warmUpSeconds: 2,
  accounts: 40,
  accountDocuments: 1_000,
  largeDocuments: 200_000,
  sizes: '10000,200000',
  listSizes: '10000,1000000',
  listRequests: 200,
};
const QUICK: typeof WHOLE = {
  rounds: 1,
  seconds: 2,
  warmUpSeconds: 1,
  accounts: 4,
  accountDocuments: 50,
  largeDocuments: 1_000,
  sizes: '10000',
  listSizes: '1000,10000',
  listRequests: 20,
};

/** Reads the command line. Throws an Error with one sentence if it is wrong. */
export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
      accounts: { type: 'string' },
      'account-documents': { type: 'string' },
      'large-documents': { type: 'string' },
      seed: { type: 'string' },
      sizes: { type: 'string' },
      'list-sizes': { type: 'string' },
      'list-requests': { type: 'string' },
      scenario: { type: 'string', multiple: true },
      env: { type: 'string', multiple: true, default: [] },
      lever: { type: 'string', multiple: true, default: [] },
      postgres: { type: 'string' },
      'baseline-twice': { type: 'boolean', default: false },
      report: { type: 'string' },
    },
  });
  const usual = values.quick ? QUICK : WHOLE;
  const rounds = readNumber('--rounds', values.rounds, usual.rounds);
  const sizes = readSizes('--sizes', values.sizes ?? usual.sizes);
  const [small = 0, large = small] = readSizes(
    '--list-sizes',
    values['list-sizes'] ?? usual.listSizes,
  );
  const scenarios = values.scenario?.map(readScenario) ?? [...SCENARIO_NAMES];
  const isWhole = rounds >= 3 && sizes.length > 1 && scenarios.length === SCENARIO_NAMES.length;
  return {
    rounds,
    seconds: readNumber('--seconds', values.seconds, usual.seconds),
    warmUpSeconds: readNumber('--warm-up', values['warm-up'], usual.warmUpSeconds),
    seed: readNumber('--seed', values.seed, 1),
    ordinary: {
      accounts: readNumber('--accounts', values.accounts, usual.accounts),
      accountDocuments: readNumber(
        '--account-documents',
        values['account-documents'],
        usual.accountDocuments,
      ),
      largeDocuments: readNumber(
        '--large-documents',
        values['large-documents'],
        usual.largeDocuments,
      ),
    },
    sizes,
    scenarios,
    listSizes: [small, large],
    listRequests: readNumber('--list-requests', values['list-requests'], usual.listRequests),
    env: Object.fromEntries(values.env.map(readAssignment)),
    levers: values.lever.map((label) => ({
      label,
      env: Object.fromEntries(label.split(',').map(readAssignment)),
    })),
    postgres: values.postgres,
    baselineTwice: values['baseline-twice'],
    report: values.report ?? (isWhole && !values['baseline-twice'] ? 'latest' : 'partial'),
  };
}

function readNumber(option: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${option} takes a positive number, not '${text}'.`);
}

function readSizes(option: string, text: string): number[] {
  return text.split(',').map((size) => readNumber(option, size, 0));
}

function readScenario(name: string): ScenarioName {
  const known = SCENARIO_NAMES.find((candidate) => candidate === name);
  if (known !== undefined) return known;
  throw new Error(
    `There is no scenario '${name}'. The scenarios are ${SCENARIO_NAMES.join(', ')}.`,
  );
}

function readAssignment(text: string): [string, string] {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new Error(`'${text}' is not of the form NAME=VALUE.`);
}
