import type { z } from 'zod';
import { OperatorError } from '../basics/errors/app-error.js';

/** An invalid configuration; `problems` has one sentence per invalid variable. */
export class ConfigurationError extends OperatorError {
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration is invalid. Correct these environment variables and start again:\n${problems
        .map((problem) => `  - ${problem}`)
        .join('\n')}`,
    );
  }
}

export type GivenVariables = Readonly<Record<string, string | undefined>>;

/**
 * Validates the variables of `schema`. An empty variable counts as not set. `conflicts` returns problems between
 * variables. Throws one {@link ConfigurationError} for all problems.
 */
export function parseVariables<Schema extends z.ZodObject>(
  schema: Schema,
  variables: GivenVariables,
  conflicts: (given: GivenVariables) => readonly string[] = () => [],
): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  const wrong = parsed.error?.issues ?? [];
  const problems = [
    ...wrong.map(({ path, message }) => `${path.join('.')} ${message}.`),
    ...conflicts(given),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems);
  return parsed.data;
}
