// Ends the process with one sentence on an unsupported Node.js. Any Node.js with modules must be able to parse this file
// and everything that imports it first, so neither may use newer syntax. src/entrypoints/boot/node-version.ts does the
// same for the built program, which runs without the sources.
import { readFileSync } from 'fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const given = process.versions.node.split('.').map(Number);

function isIn(range) {
  const least = range.replace(/^\D+/, '').split('.').map(Number);
  if (given[0] !== least[0]) return range.charAt(0) === '>' && given[0] > least[0];
  return given[1] === least[1] ? given[2] >= least[2] : given[1] > least[1];
}

if (!engines.node.split(' || ').some(isIn)) {
  process.stderr.write(
    'The Document Service needs Node.js 20.19, 22.13, or 24.11 and later; this is ' +
      process.versions.node +
      '. Install one of them, from https://nodejs.org or with a version manager, and start again.\n',
  );
  process.exit(1);
}
