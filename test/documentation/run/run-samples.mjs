// Runs TypeScript samples one after another. Argument: a JSON list of { operationId, program, folder, environment, stream }.
// Prints a line of JSON for each sample.
import { pathToFileURL } from 'node:url';

class Ended extends Error {}

let output = '';
let isStream = false;
const print = process.stdout.write.bind(process.stdout);
Object.assign(console, {
  log(...values) {
    output += values.map(String).join(' ');
    // Ends the loop over a stream that never ends.
    if (isStream) throw new Ended();
  },
});

for (const { operationId, program, folder, environment, stream } of JSON.parse(process.argv[2])) {
  Object.assign(process.env, environment);
  process.chdir(folder);
  [output, isStream] = ['', stream];
  const error = await import(pathToFileURL(program).href).then(
    () => undefined,
    (reason) => (reason instanceof Ended ? undefined : String(reason.stack)),
  );
  print(`${JSON.stringify({ operationId, error, output: output.slice(0, 200) })}\n`);
}
process.exit();
