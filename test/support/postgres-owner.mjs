import { once } from 'node:events';
import {
  connectOrStartEmbeddedPostgres,
  startEmbeddedPostgres,
} from '@document-service/embedded-postgres/start-embedded-postgres';

// The part of a service or command that runs its database. Prints one line of JSON when the database runs or has failed.
// Stops when its input ends.
const [dataDir, part] = process.argv.slice(2);
const start = part === 'command' ? connectOrStartEmbeddedPostgres : startEmbeddedPostgres;
const report = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
try {
  const database = await start({ dataDir });
  report({ url: database.url, owned: database.owned });
  await once(process.stdin.resume(), 'end');
  await database.stop();
} catch (error) {
  report({ failure: String(error) });
}
process.exit();
