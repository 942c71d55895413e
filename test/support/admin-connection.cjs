const { Client } = require('pg');

/** The connection of this worker on which test databases are made and removed. */
let connected;

async function connect(url) {
  const client = new Client({ connectionString: url });
  const forget = () => (connected = undefined);
  client.once('end', forget);
  // The server stops before the worker does.
  client.on('error', forget);
  await client.connect();
  return client;
}

/** Runs a statement. Connecting takes PostgreSQL as long as copying a database, so all files of a worker share a connection. */
async function runAsAdmin(url, statement) {
  connected ??= connect(url).catch((error) => {
    connected = undefined;
    throw error;
  });
  const client = await connected;
  const { stream } = client.connection;
  stream.ref();
  try {
    await client.query(statement);
  } finally {
    // An idle connection must not keep the worker running.
    stream.unref();
  }
}

module.exports = { runAsAdmin };
