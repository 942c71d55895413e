/** The supported Node.js releases; package.json lists the same. */
export const SUPPORTED_NODE = '^20.19.0 || ^22.13.0 || >=24.11.0';

/**
 * Returns a sentence for the operator if this Node.js is not supported. Old releases of Node.js load only this file and
 * its importer, so neither can use newer syntax.
 */
export function nodeProblem(version: string): string | undefined {
  if (SUPPORTED_NODE.split(' || ').some((range) => isIn(version, range))) return undefined;
  return (
    'The Document Service needs Node.js 20.19, 22.13, or 24.11 and later; this is ' +
    `${version}. Install one of them, from https://nodejs.org or with a version manager, and start again.`
  );
}

/** True if a version is in a range: `^1.2.3`, which ends with the major version, or `>=1.2.3`. */
function isIn(version: string, range: string): boolean {
  const [major = 0, minor = 0, patch = 0] = numbersOf(version);
  const [leastMajor = 0, leastMinor = 0, leastPatch = 0] = numbersOf(range);
  if (major !== leastMajor) return range.startsWith('>') && major > leastMajor;
  return minor === leastMinor ? patch >= leastPatch : minor > leastMinor;
}

function numbersOf(text: string): number[] {
  return text.replace(/^\D+/, '').split('.').map(Number);
}
