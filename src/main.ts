import { nodeProblem } from './entrypoints/boot/node-version.js';

// The service is loaded after the check: an old Node.js could not even read it.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  void import('./entrypoints/boot/serve.js');
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
