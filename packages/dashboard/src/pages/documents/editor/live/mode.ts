/** Where this browser remembers that the person prefers plain Markdown. */
const STORED_AS = 'plain-markdown';

const listeners = new Set<() => void>();
let plain = read();

function read(): boolean {
  try {
    return localStorage.getItem(STORED_AS) === 'yes';
  } catch {
    return false;
  }
}

/** True if texts are shown as they are written. */
export function isPlainMarkdown(): boolean {
  return plain;
}

/** Switches all editors of the page between the finished text and plain Markdown. */
export function togglePlainMarkdown(): void {
  plain = !plain;
  try {
    localStorage.setItem(STORED_AS, plain ? 'yes' : 'no');
  } catch {
    // A browser that forbids storage forgets it.
  }
  for (const listener of listeners) listener();
}

export function onModeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
