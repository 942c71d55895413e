import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { LINE_NAMES, type LineName } from './ordinary/traffic.js';
import { PROJECT_FOLDER, type Variant } from './servers.js';

const SCENARIO_NAMES = ['ordinary', 'deliveries', 'start-up'] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

export interface BenchOptions {
  scenarios: ScenarioName[];
  lines: LineName[];
  rounds: number;
  seconds: number;
  connections: number;
  /** Determines which documents ordinary traffic creates and requests. */
  seed: number;
  /** Number of accounts, and documents in each. */
  accounts: number;
  documents: number;
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
  connections: [32, 32, 'connections of ordinary traffic'],
  accounts: [40, 4, 'accounts of ordinary traffic'],
  documents: [1_000, 50, 'documents in each of them'],
  seed: [1, 1, 'which documents, pages and words are drawn'],
} as const;

export const USAGE = `Usage: npm run bench -- [options]
  --scenario NAME        only this one, repeatable: ${SCENARIO_NAMES.join(', ')}
  --line NAME            only this line of ordinary traffic, repeatable:
                         ${LINE_NAMES.join(', ')}
  --other FOLDER         measure another build too, repeatable: a checkout that is built, or its dist folder
  --lever NAME=VALUE     measure the service with this environment too, repeatable;
                         NAME=VALUE,NAME=VALUE switches several at once
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
  const dist = path.join(PROJECT_FOLDER, 'dist');
  const levers = values.lever.map((label) => ({ label, dist, env: readEnvironment(label) }));
  const others = values.other.map((label) => ({ label, dist: findBuild(label), env: {} }));
  if (values.readme && (values.quick || levers.length + others.length > 0)) {
    throw new Error('--readme cannot be combined with --quick, --lever or --other.');
  }
  return {
    scenarios: values.scenario.map((name) => choose('--scenario', name, SCENARIO_NAMES)),
    lines: values.line.map((name) => choose('--line', name, LINE_NAMES)),
    rounds: number('rounds'),
    seconds: number('seconds'),
    connections: number('connections'),
    seed: number('seed'),
    accounts: number('accounts'),
    documents: number('documents'),
    variants: [{ label: 'service', dist, env: {} }, ...levers, ...others],
    postgres: values.postgres,
    readme: values.readme,
  };
}

function choose<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const known = names.find((name) => name === text);
  if (known !== undefined) return known;
  throw new Error(`${option} takes one of ${names.join(', ')}, not '${text}'.`);
}

function readEnvironment(assignments: string): Record<string, string> {
  return Object.fromEntries(
    assignments.split(',').map((text) => {
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
