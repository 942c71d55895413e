/** Returns `de` for `de-AT`. */
export function baseLanguage(code: string): string {
  return code.split('-')[0] ?? code;
}
