import fc from 'fast-check';
import { parse } from 'content-disposition';
import type { Response } from 'express';
import { asciiFileName, fileNameOf, setFileName } from './file-name.js';

describe('the name of an exported file', () => {
  it.each([
    ['Quarterly report', 'Quarterly report.pdf'],
    ['Größe: 漢字 / שלום', 'Größe 漢字 שלום.pdf'],
    ['../../etc/passwd', 'etc passwd.pdf'],
    ['..', 'document.pdf'],
    ['a\r\nSet-Cookie: x', 'a Set-Cookie x.pdf'],
    ['report\u202Efdp.exe', 'report fdp.exe.pdf'],
    ['x'.repeat(200), `${'x'.repeat(80)}.pdf`],
    ['📈'.repeat(200), `${'📈'.repeat(60)}.pdf`],
    ['NUL', '_NUL.pdf'],
    ['com1.tar', '_com1.tar.pdf'],
    ['Console', 'Console.pdf'],
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

describe('the plain file name of a download', () => {
  it.each([
    ['Quärterly Report – Ümläute', 'Quarterly Report - Umlaute.pdf'],
    [
      'Ein Straßenfest in Łódź, Ærø & Þingvellir',
      'Ein Strassenfest in Lodz, Aero & Thingvellir.pdf',
    ],
    ['e\u0301te\u0301', 'ete.pdf'],
    ['“Smart” quotes… 5 €', 'Smart quotes... 5 EUR.pdf'],
    ['Отчёт за 2026', 'Otchet za 2026.pdf'],
    ['漢字', 'HanZi.pdf'],
    ['تقرير', 'tqryr.pdf'],
    ['📈 Sales', 'chart_with_upwards_trend Sales.pdf'],
    ['\u{f0000}', 'document.pdf'],
    ['…', 'document.pdf'],
    ['ＣＯＮ', '_CON.pdf'],
    ['ｅ／ｔｃ：＂', 'e tc.pdf'],
    ['100%25 done', '100 25 done.pdf'],
    ['100% done', '100% done.pdf'],
    ['漢'.repeat(80), `${'Han'.repeat(26)}Ha.pdf`],
  ])('stands for the title in ASCII: %s', (title, name) => {
    expect(asciiFileName(fileNameOf(title, 'pdf'))).toBe(name);
  });

  it('is sent next to the full name, which RFC 8187 encodes', () => {
    expect(dispositionOf('Größe “x”.pdf')).toBe(
      `attachment; filename="Grosse x.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E2%80%9Cx%E2%80%9D.pdf`,
    );
    expect(dispositionOf('Report.pdf')).toBe('attachment; filename=Report.pdf');
  });

  it('is ASCII without signs that need quoting, for any title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (title) => {
        const fileName = fileNameOf(title.toWellFormed(), 'md');
        expect(asciiFileName(fileName)).toMatch(/^[^. /\\:"?*<>|][ -~]*\.md$/);
        expect(asciiFileName(fileName)).not.toMatch(/["/\\?*:<>|]|%[\da-f]{2}/i);
        expect(parse(dispositionOf(fileName)).parameters['filename']).toBe(fileName);
      }),
    );
  });
});

function dispositionOf(fileName: string): string {
  let header = '';
  const setHeader = (_: string, value: string) => (header = value);
  setFileName({ setHeader } as unknown as Response, fileName);
  return header;
}
