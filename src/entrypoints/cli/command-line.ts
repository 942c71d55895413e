import { reasonOf } from '../../platform/basics/errors/reason.js';
import { printFailure } from './output.js';
import { runCommand } from './run-command.js';

// `doctor | head` closes the pipe early, and the command still finishes its work. Any other output error, such as a full
// disk, fails the command.
for (const output of [process.stdout, process.stderr]) {
  let isReported = false;
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 1;
    if (isReported || output === process.stderr) return;
    isReported = true;
    printFailure({
      message: `The output is incomplete because it cannot be written (${reasonOf(error)}). The command itself finished normally.`,
    });
  });
}

/** The operator's command line: `npm run -s cli -- <command>`. Works whether or not the service is running. */
void runCommand(process.argv.slice(2), process.env, process).then((exitCode) => {
  if (exitCode !== 0) process.exitCode = exitCode;
});
