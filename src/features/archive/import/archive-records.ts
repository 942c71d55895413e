import { AppError } from '../../../platform/basics/errors/app-error.js';
import {
  MAX_LINE_BYTES,
  FORMAT,
  FORMAT_VERSIONS,
  RECORD_NAMES,
  RECORD_ORDER,
  type ArchiveEnd,
  type ArchiveHeader,
  type RecordCounts,
  type RecordName,
} from '../archive-format.js';
import { createHash } from 'node:crypto';
import { isObject, parseJsonObject } from '../../../platform/http/bodies/json-text.js';

const LINE_FEED = 0x0a;
const OPENING_BRACE = 0x7b;
const NOTHING_IMPORTED = 'Nothing was imported.';

/** A line of an archive without its line feed. Numbers start at 1. */
interface ArchiveLine {
  number: number;
  bytes: Buffer;
}

/** Yields the lines of a file. The last line feed is optional. Throws `bad_request` for a line that is too long. */
async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<ArchiveLine> {
  let number = 1;
  let begun: Buffer[] = [];
  let length = 0;
  const take = (bytes: Buffer) => {
    begun.push(bytes);
    length += bytes.length;
    if (length > MAX_LINE_BYTES) throw tooLong(number);
  };
  for await (const piece of content) {
    let place = 0;
    for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, place)) {
      take(piece.subarray(place, end));
      yield { number, bytes: Buffer.concat(begun) };
      number += 1;
      place = end + 1;
      [begun, length] = [[], 0];
    }
    take(piece.subarray(place));
  }
  if (length > 0) yield { number, bytes: Buffer.concat(begun) };
}

/** Returns the error for a problem in a line. Line numbers start at 1. */
export function lineProblem(line: number, field: string, issue: string): AppError {
  const where = field === 'line' ? '' : ` ${field}`;
  return new AppError(
    'bad_request',
    `Line ${String(line)}:${where} ${issue}. ${NOTHING_IMPORTED}`,
    {
      line,
      field,
      issue,
    },
  );
}

/** Adds the line number to a `bad_request` error. Returns other errors unchanged. */
export function inLine(line: number, error: unknown): unknown {
  if (!(error instanceof AppError) || error.kind !== 'bad_request' || !error.details) return error;
  const { field, issue } = error.details;
  if (typeof field !== 'string' || typeof issue !== 'string') return error;
  const problem = lineProblem(line, field === 'body' ? 'line' : field, issue);
  return new AppError('bad_request', problem.message, { ...error.details, ...problem.details });
}

/** Returns the error for a problem of the whole archive. */
export function archiveProblem(issue: string): AppError {
  return new AppError('bad_request', `The archive ${issue}. ${NOTHING_IMPORTED}`, {
    field: 'body',
    issue,
  });
}

/** Maximum length of the first line, which has only the account and the counts. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Passes an archive on as it arrives, but nothing before its first line is complete and valid. Throws `bad_request` for
 * that line, and for a line that is too long. The other lines are checked when they are imported.
 */
export async function* withValidHeader(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer | undefined = Buffer.alloc(0);
  let [number, length] = [1, 0];
  for await (const piece of content) {
    for (let place = 0; place <= piece.length; number += 1) {
      const end = piece.indexOf(LINE_FEED, place);
      length += (end === -1 ? piece.length : end) - place;
      if (length > MAX_LINE_BYTES) throw tooLong(number);
      if (end === -1) break;
      [place, length] = [end + 1, 0];
    }
    if (!begun) {
      yield piece;
      continue;
    }
    begun = Buffer.concat([begun, piece]);
    const end = begun.indexOf(LINE_FEED);
    if (end === -1 && begun.length <= MAX_HEADER_BYTES && begun[0] === OPENING_BRACE) continue;
    requireHeader(end === -1 ? begun.subarray(0, MAX_HEADER_BYTES) : begun.subarray(0, end));
    yield begun;
    begun = undefined;
  }
  if (!begun || begun.length === 0) return;
  requireHeader(begun);
  yield begun;
}

function requireHeader(bytes: Buffer): void {
  headerCounts(valueOf({ number: 1, bytes }));
}

function tooLong(line: number): AppError {
  return lineProblem(line, 'line', `is longer than ${String(MAX_LINE_BYTES)} bytes`);
}

function headerCounts(value: Record<string, unknown>): RecordCounts {
  const { record, format, version, counts } = value as Partial<ArchiveHeader>;
  if (record !== 'header' || format !== FORMAT) {
    throw lineProblem(1, 'line', 'is not the first line of a Document Service archive');
  }
  if (!version || !FORMAT_VERSIONS.includes(version)) {
    throw lineProblem(1, 'version', `must be one of ${FORMAT_VERSIONS.join(', ')}`);
  }
  return countsIn(1, counts);
}

/** A record of an archive with its line number. */
export interface ArchiveRecord {
  line: number;
  name: RecordName;
  value: Record<string, unknown>;
}

/**
 * Reads the records of an archive, and checks its first and last line, the order and number of records, and the checksum.
 * Throws `bad_request` with the line of the first problem. Records are valid only once the end has been reached.
 */
export class ArchiveRecords {
  /** Counts in the first line; set before the first record is returned. */
  counts: RecordCounts = {};
  private readonly found: RecordCounts = {};
  private readonly hash = createHash('sha256');
  private place = 0;

  async *read(content: AsyncIterable<Buffer>): AsyncGenerator<ArchiveRecord> {
    let last = 0;
    let ended = false;
    for await (const line of linesOf(content)) {
      if (ended) throw lineProblem(line.number, 'line', 'follows the last line of the archive');
      last = line.number;
      const value = valueOf(line);
      if (value['record'] === 'end' && line.number > 1) {
        this.end(line.number, value);
        ended = true;
        continue;
      }
      this.hash.update(line.bytes).update('\n');
      if (line.number === 1) this.begin(value);
      else yield { line: line.number, name: this.nameOf(line.number, value), value };
    }
    if (last === 0) throw archiveProblem('is empty');
    if (!ended) {
      throw archiveProblem(
        `is incomplete: it ends after line ${String(last)} without an end record`,
      );
    }
  }

  private begin(value: Record<string, unknown>): void {
    this.counts = headerCounts(value);
  }

  private end(line: number, value: Record<string, unknown>): void {
    const { sha256, counts } = value as Partial<ArchiveEnd>;
    const endCounts = countsIn(line, counts);
    for (const name of RECORD_NAMES) {
      const found = this.found[name] ?? 0;
      const expected = [this.counts[name] ?? 0, endCounts[name] ?? 0];
      if (expected.some((count) => count !== found)) {
        throw lineProblem(
          line,
          `counts.${name}`,
          `is ${expected.join(' and ')} in the first and last line, but the archive has ${String(found)}`,
        );
      }
    }
    if (sha256 !== this.hash.digest('hex')) {
      throw lineProblem(
        line,
        'sha256',
        'does not match the previous lines: the archive was changed',
      );
    }
  }

  private nameOf(line: number, { record }: Record<string, unknown>): RecordName {
    const name = RECORD_NAMES.find((known) => known === record);
    if (!name) {
      throw lineProblem(line, 'record', `must be one of ${[...RECORD_NAMES, 'end'].join(', ')}`);
    }
    const place = RECORD_ORDER.findIndex((names) => (names as readonly string[]).includes(name));
    if (place < this.place) {
      const before = RECORD_ORDER[this.place]?.[0] ?? '';
      throw lineProblem(line, 'record', `is ${name}, which cannot follow ${before}`);
    }
    this.place = place;
    this.found[name] = (this.found[name] ?? 0) + 1;
    return name;
  }
}

function valueOf({ number, bytes }: ArchiveLine): Record<string, unknown> {
  try {
    return parseJsonObject(bytes);
  } catch (error) {
    throw inLine(number, error);
  }
}

function countsIn(line: number, counts: unknown): RecordCounts {
  const isValid =
    isObject(counts) &&
    Object.values(counts).every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
  if (!isValid) throw lineProblem(line, 'counts', 'must be an object of whole numbers');
  return counts;
}
