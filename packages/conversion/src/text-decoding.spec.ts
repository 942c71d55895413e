import { decodeHtml, decodeText } from './text-decoding.js';

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('the text of a file', () => {
  it.each([
    ['UTF-8', Buffer.from('Größe 漢字'), undefined, 'Größe 漢字'],
    ['UTF-8 with a byte order mark, which is no text', Buffer.from('\ufeffa\ufeff'), undefined, 'a\ufeff'],
    ['UTF-16, little end first', utf16('漢字'), undefined, '漢字'],
    ['UTF-16, big end first', Buffer.from(utf16('漢字')).swap16(), undefined, '漢字'],
    ['the charset that is named', Buffer.from('Größe', 'latin1'), 'windows-1252', 'Größe'],
    ['a byte order mark rather than another charset', utf16('é'), 'utf-8', 'é'],
    ['an empty file', Buffer.alloc(0), undefined, ''],
  ])('is read as %s', (_, bytes, charset, text) => {
    expect(decodeText(bytes, charset)).toBe(text);
  }); // prettier-ignore

  it.each([
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff]), undefined, /not valid UTF-8; save it/],
    ['half of a surrogate pair', utf16('\ud83d'), undefined, /not valid UTF-16LE/],
    ['an unknown charset', Buffer.from('a'), 'klingon', /unknown charset klingon/],
  ])('is refused with a sentence for %s', (_, bytes, charset, sentence) => {
    expect(() => decodeText(bytes, charset)).toThrow(sentence);
  });

  it('is read in the charset that a page names', () => {
    const page = Buffer.concat([
      Buffer.from('<html><head><META http-equiv="Content-Type" content="text/html; charset=shift_jis">'),
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
    ]); // prettier-ignore
    expect(decodeHtml(page)).toContain('日本');
    expect(() => decodeHtml(page.subarray(70))).toThrow(/not valid UTF-8/);
  });
});
