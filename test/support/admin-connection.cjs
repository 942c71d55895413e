const { Client } = require('pg');

/** This worker's connection for creating and dropping test databases. */
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
