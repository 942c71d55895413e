import { isolateHistory } from '@codemirror/commands';
import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { withPlainLineBreaks } from '../line-breaks.js';
import { loadConverter, loadDecoder } from './converter.js';
import { blockAt, insertionAfter, type MarkdownPiece } from './insertion.js';
import {
  placeOf,
  runTransfers,
  transferEnds,
  type Place,
  type Transfer,
  type TransferTask,
} from './transfers.js';

/** Result of converting a file on the server. */
export interface ConvertedFile {
  content: string;
  /** Sentences about what was left out. */
  warnings: readonly string[];
}

export interface FileOptions {
  /** Converts an HTML or DOCX file. Throws an error with a message for the author. */
  convertFile?: ((file: File, signal: AbortSignal) => Promise<ConvertedFile>) | undefined;
  /** Shows a message to the author. */
  onNotice?: ((sentence: string) => void) | undefined;
}

type FileKind = 'text' | 'html' | 'docx';

const KINDS: readonly (readonly [RegExp, FileKind])[] = [
  [/\.(?:md|markdown|txt)$/i, 'text'],
  [/\.html?$/i, 'html'],
  [/\.docx$/i, 'docx'],
];

/**
 * Maximum size of HTML to convert in the browser, in bytes. This blocks the page for 0.1 s on a desktop, longer on a
 * phone.
 */
export const LARGEST_HTML = 256 * 1024;
/** Maximum size of a document's content, in bytes of UTF-8. */
const LARGEST_CONTENT = 1024 * 1024;
const TOO_LONG = 'A document can have up to 1 MiB of text.';

const IMAGE = /\.(?:avif|bmp|gif|heic|jpe?g|png|svg|tiff?|webp)$/i;

/** Inserts files at a position, one after the other. Reports each file of another type. */
export function addFiles(
  view: EditorView,
  files: readonly File[],
  place: Place,
  options: FileOptions,
): void {
  const tasks: TransferTask[] = [];
  for (const file of files) {
    const kind = KINDS.find(([name]) => name.test(file.name))?.[1];
    if (kind === undefined) options.onNotice?.(refusalOf(file));
    else tasks.push(taskFor(file, kind, options));
  }
  if (tasks.length > 0) void runTransfers(view, place, tasks);
}

/** Returns the message for a file that cannot become text. */
export function refusalOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  return type.startsWith('image/') || IMAGE.test(name)
    ? `${name} wasn't added: documents can't contain image files yet.`
    : `${name} wasn't added: only Markdown, text, HTML and Word (DOCX) files can be.`;
}

/** Returns the position after the block at a position, where a file is inserted. */
export function placeAfter(state: EditorState, at: number): Place {
  return { at: blockAt(state, at).to, isFirst: false };
}

/** Returns the position between blocks that is nearest to the pointer. */
export function placeAtPointer(
  view: EditorView,
  { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>,
): Place {
  const at = view.posAtCoords({ x: clientX, y: clientY }, false);
  const { from, to } = blockAt(view.state, at);
  const top = view.coordsAtPos(from)?.top ?? Number.NEGATIVE_INFINITY;
  const bottom = view.coordsAtPos(to)?.bottom ?? Number.POSITIVE_INFINITY;
  if (from === to || clientY - top >= bottom - clientY) return { at: to, isFirst: false };
  return from === 0 ? { at: 0, isFirst: true } : { at: from - 1, isFirst: false };
}

function taskFor(file: File, kind: FileKind, options: FileOptions): TransferTask {
  const { name } = file;
  if (kind === 'text') {
    const run = async (transfer: Transfer) => {
      if (file.size > 2 * LARGEST_CONTENT) throw new Error(TOO_LONG);
      const { decodeText } = await loadDecoder();
      const text = decodeText(new Uint8Array(await file.arrayBuffer()));
      if (text.includes('\0')) throw new Error("The file isn't text.");
      place(transfer, { markdown: text, first: 'block', last: 'block' });
    };
    return { fileName: name, label: `Reading ${name}…`, run: withReasons(run) };
  }
  const run = async (transfer: Transfer) => {
    const isSmall = kind === 'html' && file.size <= LARGEST_HTML;
    const { content, warnings } = isSmall
      ? await convertHere(file)
      : await convertThere(file, transfer.signal, options);
    place(transfer, { markdown: content, first: 'block', last: 'block' });
    if (warnings.length > 0) options.onNotice?.(`${name}: ${warnings.join('; ')}.`);
  };
  return { fileName: name, label: `Converting ${name}…`, run: withReasons(run) };
}

/** Turns errors of the converter, which continue "The file …", into sentences. */
function withReasons(run: TransferTask['run']): TransferTask['run'] {
  return async (...parts) => {
    try {
      await run(...parts);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'ConversionError') throw error;
      const { detail } = error as Error & { detail: string };
      throw new Error(`The file ${detail}.`, { cause: error });
    }
  };
}

async function convertHere(file: File): Promise<ConvertedFile> {
  const [{ decodeHtml }, { htmlToMarkdown }] = await Promise.all([loadDecoder(), loadConverter()]);
  const html = decodeHtml(new Uint8Array(await file.arrayBuffer()));
  const { markdown, embeddedImages, lostElements } = htmlToMarkdown(html);
  const lost = lostElements.join(', ');
  return {
    content: markdown,
    warnings: [
      ...(embeddedImages > 0 ? [imagesLeftOut(embeddedImages)] : []),
      ...(lost === '' ? [] : [`these elements were left out: ${lost}`]),
    ],
  };
}

function convertThere(
  file: File,
  signal: AbortSignal,
  { convertFile }: FileOptions,
): Promise<ConvertedFile> {
  if (!convertFile) throw new Error("This text can't take files of this type.");
  return convertFile(file, signal);
}

/** Returns "2 images were left out: …". */
export function imagesLeftOut(count: number): string {
  const what = count === 1 ? '1 image was' : `${String(count)} images were`;
  return `${what} left out: documents can't contain image files yet`;
}

/** Replaces the card of a file with its text, in one undo step. */
function place(transfer: Transfer, piece: MarkdownPiece): void {
  const { view } = transfer;
  const { state } = view;
  const found = placeOf(state, transfer);
  if (!found) return;
  const markdown = withPlainLineBreaks(piece.markdown).replaceAll(/^\n+|\n+$/g, '');
  if (markdown.trim() === '') throw new Error('It has no text.');
  if (bytesOf(state.doc.toString()) + bytesOf(markdown) > LARGEST_CONTENT) {
    throw new Error(TOO_LONG);
  }
  const at = found.isFirst ? 0 : state.doc.lineAt(found.at).to;
  const { changes, end } = insertionAfter(state, at, { ...piece, markdown });
  const { main } = state.selection;
  view.dispatch({
    changes,
    effects: transferEnds.of({ transfer, end }),
    // The caret was put there when the file was dropped.
    ...(main.empty && main.head === found.at && { selection: { anchor: end } }),
    userEvent: 'input.drop',
    annotations: isolateHistory.of('full'),
  });
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
