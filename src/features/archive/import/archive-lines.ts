import { AppError } from '../../../platform/basics/errors/app-error.js';
import { MAX_LINE_BYTES } from '../archive-format.js';

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
