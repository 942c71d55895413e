import { MAX_LINE_BYTES } from '../archive-format.js';
import { lineProblem } from './line-problem.js';

const LINE_FEED = 0x0a;

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
