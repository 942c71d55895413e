// Loaded into a command with NODE_OPTIONS. Prevents every transaction from committing: COMMIT is sent only after the
// connection is lost.
import pg from 'pg';

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (...args) {
  const { stream } = this.connection;
  if (args[0] !== 'COMMIT' || stream.destroyed) return query.apply(this, args);
  return new Promise((resolve) => {
    stream.once('close', () => resolve(query.apply(this, args)));
  });
};
