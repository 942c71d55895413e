import { createHash } from 'node:crypto';
import { threadTask } from '../../threads/thread-task.js';
import { parseJsonObject, sourcePlaces, type SourcePlaces } from './json-text.js';

/** A parsed body, as it travels from the thread to the event loop. */
export interface ParsedBody {
  value: Record<string, unknown>;
  sources: SourcePlaces;
  /** SHA-256 of the bytes. */
  hash: Uint8Array;
}

export default threadTask((body: Uint8Array): ParsedBody => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const value = parseJsonObject(bytes);
  return {
    value,
    sources: sourcePlaces(value, bytes),
    hash: createHash('sha256').update(bytes).digest(),
  };
});
