/** The variant that clients expect for a detected language. */
const VARIANTS: Readonly<Record<string, string>> = {
  en: 'en-US',
  de: 'de-DE',
  pt: 'pt-BR',
  pl: 'pl-PL',
  da: 'da-DK',
};

export function variantOf(code: string): string {
  return VARIANTS[code] ?? code;
}

const names = new Intl.DisplayNames(['en'], {
  type: 'language',
  languageDisplay: 'standard',
  style: 'short',
});

/** Returns a name such as `English (US)`, or an unknown code unchanged. Operators name dictionaries as they like. */
export function languageName(code: string): string {
  if (code === 'und') return 'Unknown';
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
