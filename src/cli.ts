import { nodeProblem } from './entrypoints/boot/node-version.js';

// The commands are loaded after the check: an old Node.js could not even read them.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  void import('./entrypoints/cli/command-line.js');
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
