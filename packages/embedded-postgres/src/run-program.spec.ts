import { reasonIn, runProgram } from './run-program.js';

describe('The reason in the output of a PostgreSQL program', () => {
  it('the reason is the fatal line without its level', () => {
    const output = 'LOG:  starting\nFATAL:  could not map anonymous memory\nLOG:  shut down\n';
    expect(reasonIn(output)).toBe('could not map anonymous memory');
  });

  it('the reason is the fatal line and not the warnings before it', () => {
    const output =
      'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use\n' +
      'WARNING:  could not create listen socket for "127.0.0.1"\n' +
      'FATAL:  could not create any TCP/IP sockets\n';
    expect(reasonIn(output)).toBe('could not create any TCP/IP sockets');
  });

  it('the reason is the last line if no line reports a failure', () => {
    expect(reasonIn('this\nthat\n\n')).toBe('that');
  });

  it('the reason is undefined if there is no output', () => {
    expect(reasonIn('\n')).toBeUndefined();
  });
});

describe('A program', () => {
  it('a failed program is reported with its reason', async () => {
    await expect(runProgram('sh', ['-c', 'echo "error: no luck" >&2; exit 3'])).rejects.toThrow(
      /^no luck$/,
    );
  });

  it('a program that fails without output is reported with its exit code', async () => {
    await expect(runProgram('sh', ['-c', 'exit 3'])).rejects.toThrow('sh exited with 3');
  });

  it('a program reads its input and returns its output', async () => {
    expect(await runProgram('cat', [], {}, 'text')).toBe('text');
  });
});
