// Loaded into a real process with NODE_OPTIONS. Throws an uncaught error on the signal.
import process from 'node:process';

const thrown = (code) => Object.assign(new Error('thrown by a test'), { code });
process.on('SIGUSR2', () => {
  throw thrown(process.env.THROWN_CODE);
});
process.on('SIGWINCH', () => {
  void Promise.reject(thrown(process.env.THROWN_CODE));
});
