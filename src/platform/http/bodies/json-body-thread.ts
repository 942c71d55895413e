import { createHash } from 'node:crypto';
import { threadTask } from '../../threads/thread-task.js';
import { parseJsonObject, sourceRanges, type SourceRanges } from './json-text.js';

/** The result of parsing a body in a thread. */
export interface ParsedBody {
  value: Record<string, unknown>;
  sources: SourceRanges;
  /** SHA-256 of the bytes. */
  hash: Uint8Array;
}

export default threadTask((body: Uint8Array): ParsedBody => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const value = parseJsonObject(bytes);
  return {
    value,
    sources: sourceRanges(value, bytes),
    hash: createHash('sha256').update(bytes).digest(),
  };
});
