// Runs everything that must pass before a commit, except the tests: as many steps at once as there are processors. Shows
// the output of a step only if it fails, and still runs the others.
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';

/** Longest first, so that no long step is left running alone at the end. */
const STEPS = [
  ['types and lint', 'node scripts/check-code.mjs'],
  ['rules of OpenAPI', 'npm run -s openapi:lint'],
  ['format', 'npm run -s check:format'],
  ['dependencies', 'npm run -s check:dependencies'],
  ['analysis rules', 'npm run -s rules -- --check'],
  ['openapi.json', 'npm run -s openapi -- --check'],
  ['migrations', 'npm run -s check:migrations'],
  ['Python client', 'npm run -s python-client -- --check'],
  ['documentation', 'npm run -s check:docs'],
];

function run(command) {
  return new Promise((resolve) => {
    const output = [];
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => output.push(chunk));
    }
    child.on('close', (code) =>
      resolve({ passed: code === 0, output: Buffer.concat(output).toString() }),
    );
  });
}

const waiting = [...STEPS];

async function work() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const [name, command] = step;
    const begun = performance.now();
    const { passed, output } = await run(command);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    if (!passed) {
      process.exitCode = 1;
      process.stdout.write(output);
    }
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds} s): ${command}`);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
