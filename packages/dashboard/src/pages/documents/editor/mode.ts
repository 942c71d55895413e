/** Local storage key of the preference for plain Markdown. */
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

/** True if editors show plain Markdown. */
export function isPlainMarkdown(): boolean {
  return plain;
}

/** Switches all editors of the page between formatted text and plain Markdown. */
export function togglePlainMarkdown(): void {
  plain = !plain;
  try {
    localStorage.setItem(STORED_AS, plain ? 'yes' : 'no');
  } catch {
    // Without storage, the choice lasts until the page is reloaded.
  }
  for (const listener of listeners) listener();
}

export function onModeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
