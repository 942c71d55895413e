/** The statements that make these functions what they were; `made` are those that made them, among others. */
export function restoredFunctions(made: readonly string[], ...names: string[]): string[] {
  return made
    .filter((statement) => names.includes(functionName(statement) ?? ''))
    .map((statement) =>
      statement.replace(/^CREATE (?:OR REPLACE )?FUNCTION/, 'CREATE OR REPLACE FUNCTION'),
    );
}

/** The name of the function that a statement makes, if it makes one. */
export function functionName(statement: string): string | undefined {
  return /^CREATE (?:OR REPLACE )?FUNCTION (\w+)/.exec(statement)?.[1];
}
