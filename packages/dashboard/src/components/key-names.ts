// Unit tests run without a browser.
export const isMac =
  typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

const ON_A_MAC: Partial<Record<string, string>> = { Ctrl: '⌘', Shift: '⇧', Alt: '⌥' };

/** Returns the labels of the keys of a shortcut on this computer's keyboard, such as `⇧` and `K` for `Shift+K`. */
export function keyLabels(shortcut: string): string[] {
  const keys = shortcut.split('+');
  return isMac ? keys.map((key) => ON_A_MAC[key] ?? key) : keys;
}

/** Returns the name of a shortcut: `Ctrl+Shift+K`, or `⌘⇧K` on a Mac. */
export function keyName(shortcut: string): string {
  return keyLabels(shortcut).join(isMac ? '' : '+');
}
