import fc from 'fast-check';
import { fileNameOf } from './file-name.js';

describe('the name of an exported file', () => {
  it.each([
    ['Quarterly report', 'Quarterly report.pdf'],
    ['Größe: 漢字 / שלום', 'Größe 漢字 שלום.pdf'],
    ['../../etc/passwd', 'etc passwd.pdf'],
    ['..', 'document.pdf'],
    ['a\r\nSet-Cookie: x', 'a Set-Cookie x.pdf'],
    ['report\u202Efdp.exe', 'report fdp.exe.pdf'],
    ['x'.repeat(200), `${'x'.repeat(80)}.pdf`],
  ])('is derived from the title: %s', (title, name) => {
    expect(fileNameOf(title, 'pdf')).toBe(name);
  });

  it('has no path, no control character and no leading dot', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (title) => {
        const name = fileNameOf(title.toWellFormed(), 'md');
        // eslint-disable-next-line no-control-regex
        expect(name).toMatch(/^[^. /\\:\u0000-\u001f][^/\\:\u0000-\u001f]*\.md$/);
        expect(name.isWellFormed()).toBe(true);
      }),
    );
  });
});
