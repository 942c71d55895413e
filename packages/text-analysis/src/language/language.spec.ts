import { LanguageDetector } from './language.js';

describe('the language of a paragraph', () => {
  let detector: LanguageDetector;

  beforeAll(async () => {
    detector = await LanguageDetector.load();
  });

  const detect = (text: string, surroundings?: string) => detector.detect(text, surroundings).code;

  it.each([
    ['en', 'Please close the back door.'],
    ['de', 'Bitte mach die Tür zu.'],
    ['fr', "Nous n'avons plus de lait."],
    ['es', '¿Dónde has aparcado el coche?'],
    ['pt', 'Já não temos leite nenhum.'],
    ['it', 'Chiudi la porta sul retro.'],
    ['nl', 'We hebben geen melk meer.'],
    ['pl', 'Nikt dzisiaj nie odebrał telefonu.'],
    ['da', 'Genstart tjenesten efter hver opgradering.'],
    ['sv', 'Varje anrop innehåller en nyckel.'],
    ['ru', 'Сегодня никто не ответил мне.'],
    ['uk', 'Сьогодні ніхто мені не відповів.'],
    ['ja', 'ドアを閉めてください。'],
    ['zh', '请把后面的门关上。'],
    ['ko', '문을 닫아 주세요.'],
    ['el', 'Το τρένο φεύγει σε λίγο.'],
    ['he', 'הרכבת יוצאת בעוד עשר דקות.'],
    ['ar', 'القطار يغادر بعد عشر دقائق.'],
    ['th', 'รถไฟจะออกในอีกสิบนาที'],
    ['km', 'ខ្ញុំមិនដឹងថាត្រូវធ្វើអ្វីទេ'],
  ])('is told from five words: %s', (code, text) => {
    expect(detect(text)).toBe(code);
  });

  it.each([
    ['id', 'Saya tidak tahu harus bagaimana lagi.'],
    ['af', 'Ons het gister baie lekker saam geëet.'],
    ['sw', 'Tafadhali funga mlango kabla ya kuondoka.'],
    ['gl', 'Onte choveu moito durante todo o día.'],
    ['cy', 'Mae fy chwaer yn byw yng Nghaerdydd.'],
    ['ht', 'Mwen pa konnen sa pou mwen fè jodi a.'],
    ['kk', 'Мен бүгін не істерімді білмеймін.'],
  ])('is never taken for a supported one: %s', (code, text) => {
    expect([code, 'und']).toContain(detect(text));
  });

  it.each(['', '   ', '12:30 – 14:00', '!?', 'Xqz', '😀😀', '￼￼￼'])(
    'is und where nothing tells it: %j',
    (text) => {
      expect(detector.detect(text)).toEqual({ code: 'und', confidence: 0 });
    },
  );

  it('of a short heading is decided by the text around it, and not against what it shows', () => {
    expect(detect('Konfiguration')).toBe('und');
    expect(detect('Konfiguration', 'de')).toBe('de');
    expect(detect('The server is not available today', 'de')).toBe('en');
  });

  it('takes no time over a million letters', () => {
    const started = performance.now();
    detect('wort '.repeat(200_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
