import type { z } from 'zod';
import { OperatorError } from '../basics/errors/app-error.js';

/** The environment is wrong; `problems` has one sentence for every wrong variable. */
export class ConfigurationError extends OperatorError {
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration is wrong. Correct these environment variables and start again:\n${problems
        .map((problem) => `  - ${problem}`)
        .join('\n')}`,
    );
  }
}

export type GivenVariables = Readonly<Record<string, string | undefined>>;

/**
 * Reads and validates the variables of `schema`; an empty one counts as not set. `conflicts` finds what is wrong with
 * several together. Throws one {@link ConfigurationError} for all problems.
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
