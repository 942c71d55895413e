import { EmbeddedPostgresError, startFailure } from './embedded-postgres-error.js';

describe('The error of a failed start', () => {
  it.each([
    ['could not write lock file "postmaster.pid": No space left on device', 'free some disk space'],
    ['could not extend file "base/1/2691": wrote only 4096 of 8192 bytes', 'free some disk space'],
    [
      "EACCES: permission denied, mkdir '/srv/data'",
      'set DATA_DIR to one that this user can write to',
    ],
    ["ENOENT: no such file or directory, mkdir '/srv/data'", 'a writable folder'],
    ["ENOTDIR: not a directory, mkdir '/srv/file/data'", 'set DATA_DIR to a folder'],
    ['spawn /srv/native/bin/initdb ENOENT', 'set DATABASE_URL'],
    ['initdb: could not look up effective user ID 4321: user does not exist', '/etc/passwd'],
    ['an unknown reason', 'set DATA_DIR to another folder or DATABASE_URL'],
  ])('the error for "%s" says what to do', (reason, remedy) => {
    const { message } = startFailure('/srv/data', new Error(reason));
    expect(message).toContain(`did not start in /srv/data (${reason}): `);
    expect(message).toContain(remedy);
  });

  it('an error that already says what to do stays unchanged', () => {
    const sentence = new EmbeddedPostgresError('Do this.');
    expect(startFailure('/srv/data', sentence)).toBe(sentence);
  });
});
