/** The releases of Node.js that the service runs on; package.json says the same to npm. */
export const SUPPORTED_NODE = '^20.19.0 || ^22.13.0 || >=24.11.0';

/**
 * A sentence for who starts on another Node.js. This file, and what imports it first, are all that an old one loads: they
 * hold nothing that it does not understand.
 */
export function nodeProblem(version: string): string | undefined {
  if (SUPPORTED_NODE.split(' || ').some((range) => isIn(version, range))) return undefined;
  return (
    'The Document Service needs Node.js 20.19, 22.13, or 24.11 and later; this is ' +
    `${version}. Install one of them, from https://nodejs.org or with a version manager, and start again.`
  );
}

/** Whether a version is in a range of the form `^1.2.3`, which ends with the major one, or `>=1.2.3`. */
function isIn(version: string, range: string): boolean {
  const [major = 0, minor = 0, patch = 0] = numbersOf(version);
  const [leastMajor = 0, leastMinor = 0, leastPatch = 0] = numbersOf(range);
  if (major !== leastMajor) return range.startsWith('>') && major > leastMajor;
  return minor === leastMinor ? patch >= leastPatch : minor > leastMinor;
}

function numbersOf(text: string): number[] {
  return text.replace(/^\D+/, '').split('.').map(Number);
}
