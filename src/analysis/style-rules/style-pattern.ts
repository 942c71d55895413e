import { RE2JS } from 're2js';

/** Upper and lower case match each other, as in every rule. Throws what RE2 says. */
export function compilePattern(source: string): RE2JS {
  return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
}

/** What is wrong with a pattern; undefined for a right one. */
export function patternProblem(source: string): string | undefined {
  try {
    return compilePattern(source).matcher('').matches()
      ? 'must not match the empty text'
      : undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : '';
    return `must be a pattern of RE2, which has no look-around and no back-references: ${why}`;
  }
}
