/** Characters, so that with an extension every file system takes it. */
const MAX_CHARACTERS = 80;

/** What no file system likes in names, and what hides what a name is. */
const UNWELCOME =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]+/g;

/** A file name made of a title: no path, nothing invisible, not too long. */
export function fileNameOf(title: string, extension: string): string {
  const cleaned = title.replace(UNWELCOME, ' ').replace(/\s+/g, ' ').trim();
  const short = Array.from(cleaned).slice(0, MAX_CHARACTERS).join('');
  const name = short.replace(/^[. ]+|[. ]+$/g, '');
  return `${name === '' ? 'document' : name}.${extension}`;
}
