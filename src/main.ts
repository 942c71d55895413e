import { nodeProblem } from './entrypoints/boot/node-version.js';

// Load the service after the check, because an old Node.js cannot parse it.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  void import('./entrypoints/boot/serve.js');
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
