import { ExternalHyperlink, TextRun, type IRunOptions, type ParagraphChild } from 'docx';
import { runsRightToLeft, type Image, type Inline, type Marks } from '../rich-text/rich-text.js';
import { absoluteAddress, isImageData } from '../rich-text/safe-address.js';
import { STYLE_IDS } from './docx-styles.js';

// eslint-disable-next-line no-control-regex
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Replaces control characters, which XML cannot contain, with the replacement character. */
export function xmlText(text: string): string {
  return text.replace(NO_XML, '\ufffd').toWellFormed();
}

/** Returns the inlines as runs of a paragraph. */
export function writeInlines(
  inlines: readonly Inline[],
  writeNote: (number: number) => ParagraphChild,
): ParagraphChild[] {
  return inlines.map((inline) => {
    switch (inline.kind) {
      case 'break':
        return new TextRun({ break: 1 });
      case 'image':
        return writeImage(inline);
      case 'note':
        return writeNote(inline.number);
      case 'text':
        return linked(inline.marks.link, inline.text, inline.marks);
    }
  });
}

/** Writes an image as a link with its alt text, because images are not fetched. */
function writeImage({ source, description, link }: Image): ParagraphChild {
  const address = link ?? (isImageData(source) ? undefined : source);
  return linked(address, description === '' ? (address ?? 'image') : description, {});
}

function linked(link: string | undefined, text: string, marks: Marks): ParagraphChild {
  const address = link === undefined ? undefined : addressOf(link);
  const run = new TextRun(runOptions(text, marks, address !== undefined));
  return address === undefined ? run : new ExternalHyperlink({ link: address, children: [run] });
}

/** Returns an address that word processors accept. They report a document with an invalid one as damaged. */
function addressOf(link: string): string | undefined {
  // A fragment has no page to refer to.
  if (link.startsWith('#')) return undefined;
  try {
    return absoluteAddress(link) ?? encodeURI(decodeURI(link));
  } catch {
    return undefined;
  }
}

function runOptions(text: string, marks: Marks, linked: boolean): IRunOptions {
  const style = linked ? 'Hyperlink' : marks.code ? STYLE_IDS.inlineCode : undefined;
  return {
    text: xmlText(text),
    ...(marks.bold ? { bold: true } : {}),
    ...(marks.italic ? { italics: true } : {}),
    ...(marks.strike ? { strike: true } : {}),
    ...(marks.underline ? { underline: {} } : {}),
    ...(marks.subscript ? { subScript: true } : {}),
    ...(marks.superscript ? { superScript: true } : {}),
    ...(style === undefined ? {} : { style }),
    ...(runsRightToLeft(text) ? { rightToLeft: true } : {}),
  };
}
