import { nodeProblem } from './entrypoints/boot/node-version.js';

// Load the commands after the check, because an old Node.js cannot parse them.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  void import('./entrypoints/cli/command-line.js');
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
