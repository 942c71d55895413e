export type ServerSettings = Readonly<Record<string, string>>;

/** Settings of the server for a small service on one machine; commits are durable. */
const SETTINGS: ServerSettings = {
  listen_addresses: '127.0.0.1',
  // A socket's path is limited to 107 bytes, and no folder suits every user; TCP always works.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  random_page_cost: '1.1',
  // Short statements only: compiling them costs more than it saves.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  // Failed statements are the service's to report: PostgreSQL would log them with the values a client sent.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** For the tests' server: many small pools, and speed for data that may be lost with the machine. */
const NOT_DURABLE: ServerSettings = {
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** Arguments of `postgres` for a server on `port`. */
export function serverArguments(port: number, durable: boolean): string[] {
  const settings = { ...SETTINGS, ...(durable ? {} : NOT_DURABLE), port: String(port) };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
