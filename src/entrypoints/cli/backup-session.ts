import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { print, show } from './output.js';

/** One connection of the pool, for COPY, which TypeORM does not know. */
export async function withClient<Result>(
  dataSource: DataSource,
  work: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  try {
    return await work((await runner.connect()) as ClientBase);
  } finally {
    await runner.release();
  }
}

interface Outcome {
  file: string;
  /** By table. */
  rows: Record<string, number>;
  /** Length of the file. */
  bytes: number;
  /** When the work began, by `performance.now()`. */
  begun: number;
}

export function backupReport(what: string, { file, rows, bytes, begun }: Outcome): void {
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  const { accounts = 0, documents = 0 } = rows;
  const megabytes = (bytes / 1_000_000).toFixed(1);
  show({ file, rows, bytes, seconds }, () => {
    print(
      `${String(documents)} documents of ${String(accounts)} accounts ${what} ${file} (${megabytes} MB, ${String(seconds)} s).`,
    );
  });
}
