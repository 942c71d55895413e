import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A document takes at most this many bytes. */
const LARGEST = 1_000_000;

/** Returns the different READMEs of installed packages, in the order of their hashes. */
export function readmes(): { file: string; text: string }[] {
  const root = path.resolve('node_modules');
  const found = new Map<string, { file: string; text: string }>();
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) pending.push(file);
      if (!entry.isFile() || !/^readme/i.test(entry.name)) continue;
      const text = readFileSync(file, 'utf8');
      const hash = createHash('sha256').update(text).digest('hex');
      // PostgreSQL stores neither NUL nor half of a surrogate pair.
      const isStorable = text.isWellFormed() && !text.includes('\0') && text.length < LARGEST;
      if (isStorable && text.trim() !== '') {
        found.set(hash, { file: path.relative(root, file), text });
      }
    }
  }
  return [...found].sort(([one], [other]) => one.localeCompare(other)).map(([, readme]) => readme);
}

/** Returns true if a letter at the start joins link definitions, so that the editor adds a blank line after the first. */
export function startsWithDefinition(text: string): boolean {
  return /^\s*\[[^\]]+\]:/.test(text);
}
