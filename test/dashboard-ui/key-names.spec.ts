/** Loads the names as a browser on this computer does. */
async function namesOn(userAgent: string) {
  jest.resetModules();
  Object.assign(globalThis, { navigator: { userAgent } });
  return import('../../packages/dashboard/src/components/key-names.js');
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'navigator');
});

describe('The names of keys', () => {
  it('The names of keys are words on most computers', async () => {
    const { keyName, keyLabels } = await namesOn('Mozilla/5.0 (X11; Linux x86_64)');
    expect(keyName('Ctrl+Shift+K')).toBe('Ctrl+Shift+K');
    expect(keyLabels('Ctrl+Alt+1–3')).toEqual(['Ctrl', 'Alt', '1–3']);
  });

  it('The names of keys are the symbols of the keyboard on a Mac', async () => {
    const { keyName, keyLabels } = await namesOn('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)');
    expect(keyName('Ctrl+Shift+K')).toBe('⌘⇧K');
    expect(keyLabels('Ctrl+Alt+1–3')).toEqual(['⌘', '⌥', '1–3']);
    expect(keyName('F7')).toBe('F7');
  });
});
