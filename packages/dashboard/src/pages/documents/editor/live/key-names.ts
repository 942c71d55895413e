// Unit tests run without a browser.
const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);
const named = (keys: string) =>
  isMac ? keys.replaceAll('Ctrl+', '⌘').replaceAll('Shift+', '⇧').replaceAll('Alt+', '⌥') : keys;

/** Names of keys for button titles. */
export const KEY_NAMES = {
  bold: named('Ctrl+B'),
  italic: named('Ctrl+I'),
  code: named('Ctrl+E'),
  strikethrough: named('Ctrl+Shift+X'),
  link: named('Ctrl+K'),
  heading: named('Ctrl+Alt+2'),
  numbers: named('Ctrl+Shift+7'),
  bullets: named('Ctrl+Shift+8'),
  tasks: named('Ctrl+Shift+9'),
  plain: named('Ctrl+Shift+M'),
};
