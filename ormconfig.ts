import { DataSource } from 'typeorm';
import { SCHEMA } from './src/tables.js';
import { dataSourceOptions } from './src/platform/database/pools.js';

const url = process.env['DATABASE_DIRECT_URL'] || process.env['DATABASE_URL'];
if (!url) {
  throw new Error('Set DATABASE_URL to the PostgreSQL server for the TypeORM command.');
}

/** For the TypeORM command line: npx typeorm -d ormconfig.ts … (see docs/contribute/change-the-schema.md). */
export default new DataSource(dataSourceOptions(url, 2, SCHEMA));
