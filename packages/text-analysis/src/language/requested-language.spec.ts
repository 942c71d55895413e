import { requestedLanguage } from './requested-language.js';

describe('the language that a client asks for', () => {
  it.each([
    ['English', 'en'],
    ['en', 'en'],
    ['EN', 'en'],
    ['en-GB', 'en-GB'],
    ['en_gb', 'en-GB'],
    ['de_DE', 'de-DE'],
    ['Deutsch', 'de'],
    ['german', 'de'],
    ['Français', 'fr'],
    ['français', 'fr'],
    ['Brazilian Portuguese', 'pt-BR'],
    ['Portuguese (Brazil)', 'pt-BR'],
    ['British English', 'en-GB'],
    ['English (UK)', 'en-GB'],
    ['US English', 'en-US'],
    ['eng', 'en'],
    ['deu', 'de'],
    ['zh-Hans-CN', 'zh-Hans-CN'],
    ['日本語', 'ja'],
    ['Norwegian Bokmål', 'nb'],
    ['Klingon', 'tlh'],
    ['Welsh', 'cy'],
  ])('%s is %s', (setting, code) => {
    expect(requestedLanguage(setting)).toEqual({ kind: 'known', code });
  });

  it.each(['auto', 'AUTO', '', ' ', 'detect', null, undefined])('%j is detected', (setting) => {
    expect(requestedLanguage(setting)).toEqual({ kind: 'auto' });
  });

  it.each(['Elvish-ish', 'xx', 'en--GB', '🇩🇪', 'e'.repeat(5_000), `en-x${'-abcde'.repeat(20)}`])(
    '%s is said to be unknown',
    (setting) => {
      expect(requestedLanguage(setting)).toEqual({ kind: 'unknown', value: setting });
    },
  );

  it('does not normalize long values, which would take quadratic time', () => {
    const value = `a${'\u0301\u0316'.repeat(100_000)}`;
    const before = process.cpuUsage();
    expect(requestedLanguage(value)).toEqual({ kind: 'unknown', value });
    const { user } = process.cpuUsage(before);
    // Normalizing it takes ten seconds.
    expect(user).toBeLessThan(1_000_000);
  });
});
