/** Maximum length in characters. With an extension, every file system accepts it. */
const MAX_CHARACTERS = 80;

/** Characters that file systems reject, and invisible characters that can disguise a name. */
const UNSAFE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]+/g;

/** Returns a safe file name for a title: no path, no invisible characters, limited length. */
export function fileNameOf(title: string, extension: string): string {
  const cleaned = title.replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim();
  const short = Array.from(cleaned).slice(0, MAX_CHARACTERS).join('');
  const name = short.replace(/^[. ]+|[. ]+$/g, '');
  return `${name === '' ? 'document' : name}.${extension}`;
}
