import { AppError } from '../../../platform/basics/errors/app-error.js';
import {
  MAX_LINE_BYTES,
  FORMAT,
  FORMAT_VERSION,
  RECORD_NAMES,
  RECORD_ORDER,
  type ArchiveEnd,
  type ArchiveHeader,
  type RecordCounts,
  type RecordName,
} from '../archive-format.js';
import { createHash } from 'node:crypto';
import { isObject, parseJsonObject } from '../../../platform/http/envelope/json-text.js';

const LINE_FEED = 0x0a;
const UNDONE = 'Nothing was imported.';

/** A line of an archive without its line feed, counted from 1. */
export interface ArchiveLine {
  number: number;
  bytes: Buffer;
}

/** The lines of a file; the last one may lack its line feed. Throws `bad_request` for one that is longer than any that an export writes. */
export async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<ArchiveLine> {
  let number = 1;
  let begun: Buffer[] = [];
  let length = 0;
  const take = (bytes: Buffer) => {
    begun.push(bytes);
    length += bytes.length;
    if (length > MAX_LINE_BYTES) {
      throw lineProblem(number, 'line', `is longer than ${String(MAX_LINE_BYTES)} bytes`);
    }
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

/** The refusal of an archive for what is wrong in one of its lines, counted from 1. */
export function lineProblem(line: number, field: string, issue: string): AppError {
  const where = field === 'line' ? '' : ` ${field}`;
  return new AppError('bad_request', `Line ${String(line)}:${where} ${issue}. ${UNDONE}`, {
    line,
    field,
    issue,
  });
}

/** The same for a failure of a check that knows of no lines; anything else stays what it is. */
export function inLine(line: number, error: unknown): unknown {
  if (!(error instanceof AppError) || error.kind !== 'bad_request' || !error.details) return error;
  const { field, issue } = error.details;
  if (typeof field !== 'string' || typeof issue !== 'string') return error;
  const problem = lineProblem(line, field === 'body' ? 'line' : field, issue);
  return new AppError('bad_request', problem.message, { ...error.details, ...problem.details });
}

/** The refusal of an archive as a whole. */
export function archiveProblem(issue: string): AppError {
  return new AppError('bad_request', `The archive ${issue}. ${UNDONE}`, { field: 'body', issue });
}

/** A record of an archive, in whose line it stands. */
export interface ArchiveRecord {
  line: number;
  name: RecordName;
  value: Record<string, unknown>;
}

/**
 * The records of an archive. What holds for the archive as a whole is checked on the way: its first and last line, the
 * order of the records, their number, and the checksum. Throws `bad_request` with the line of the first problem; what was
 * read before counts only when the end is reached.
 */
export class ArchiveRecords {
  /** What the first line says; known from the first record on. */
  counts: RecordCounts = {};
  private readonly found: RecordCounts = {};
  private readonly hash = createHash('sha256');
  private place = 0;

  async *read(content: AsyncIterable<Buffer>): AsyncGenerator<ArchiveRecord> {
    let last = 0;
    let ended = false;
    for await (const line of linesOf(content)) {
      if (ended)
        throw lineProblem(line.number, 'line', 'stands after the last line of the archive');
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
        `breaks off after line ${String(last)}: its last line, the end, is missing`,
      );
    }
  }

  private begin(value: Record<string, unknown>): void {
    const { record, format, version, counts } = value as Partial<ArchiveHeader>;
    if (record !== 'header' || format !== FORMAT) {
      throw lineProblem(1, 'line', 'is not the first line of an archive of this service');
    }
    if (version !== FORMAT_VERSION) {
      throw lineProblem(
        1,
        'version',
        `must be ${String(FORMAT_VERSION)}; this service reads no other`,
      );
    }
    this.counts = countsIn(1, counts);
  }

  private end(line: number, value: Record<string, unknown>): void {
    const { sha256, counts } = value as Partial<ArchiveEnd>;
    const said = countsIn(line, counts);
    for (const name of RECORD_NAMES) {
      const found = this.found[name] ?? 0;
      const wanted = [this.counts[name] ?? 0, said[name] ?? 0];
      if (wanted.some((count) => count !== found)) {
        throw lineProblem(
          line,
          `counts.${name}`,
          `says ${wanted.join(' and ')} in the first and the last line, and there are ${String(found)}`,
        );
      }
    }
    if (sha256 !== this.hash.digest('hex')) {
      throw lineProblem(line, 'sha256', 'is not that of the lines before: the archive was changed');
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
      throw lineProblem(line, 'record', `is a ${name}, which cannot come after a ${before}`);
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
  const isRight =
    isObject(counts) &&
    Object.values(counts).every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
  if (!isRight) throw lineProblem(line, 'counts', 'must be an object of whole numbers');
  return counts;
}
