// Runs command lines for the test that forked it. Each message is a run, and each reply is its result.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { runCommand } = await import(pathToFileURL(resolve(process.argv[2])).href);

process.on('message', async ({ id, args, env }) => {
  const printed = { stdout: '', stderr: '' };
  const stream = (name) => ({ write: (text) => (printed[name] += text) });
  const out = { stdout: stream('stdout'), stderr: stream('stderr') };
  const exitCode = await runCommand(args, env, out);
  process.send({ id, exitCode, ...printed });
});
process.on('disconnect', () => process.exit());
process.send('ready');
