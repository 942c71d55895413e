/** Settings of earlier releases, each with the reason why nothing reads it anymore. */
const REMOVED: Readonly<Record<string, string>> = {
  REDIS_URL: 'PostgreSQL counts rate limits',
};

/** Returns a warning for each setting that this release ignores. */
export function removedVariables(given: NodeJS.ProcessEnv): string[] {
  return Object.entries(REMOVED)
    .filter(([name]) => given[name]?.trim())
    .map(([name, reason]) => `${name} has no effect: ${reason}. Remove it.`);
}
