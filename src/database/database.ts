import { Injectable } from '@nestjs/common';
import pg, { type Pool } from 'pg';
import { DataSource } from 'typeorm';

/** A prepared statement: PostgreSQL parses and plans `text` once per connection under `name`. */
export interface Statement {
  /** At most 63 bytes, unique in the service; by convention `<folder>.<verb>`. */
  name: string;
  text: string;
}

/** The object id of the type `json` in every PostgreSQL. */
const JSON_TYPE = 114;

/** JSON columns stay text: they go out as they came in. */
const parserOf = pg.types.getTypeParser as (oid: number, format?: string) => unknown;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) =>
    oid === JSON_TYPE ? (text: string) => text : parserOf(oid, format),
};

/**
 * The hot path to PostgreSQL: prepared statements through TypeORM's own connection pool, without its query builder
 * (measured at about twice the throughput, see docs/adr/0006-persistence.md). JSON columns arrive as their stored text.
 */
@Injectable()
export class Database {
  constructor(private readonly dataSource: DataSource) {}

  /** The rows of one statement, in its own transaction. Rejects with the pg error. */
  async run<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>({ ...statement, values, types });
    return rows;
  }

  /** Connections: all, unused, and callers waiting for one. */
  poolState(): { total: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}
