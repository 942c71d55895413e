import { nodeProblem } from './boot/node-version.js';

// The service is loaded after the check: an old Node.js could not even read it.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  void import('./serve.js');
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
