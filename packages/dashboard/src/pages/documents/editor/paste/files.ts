import { closeHistory } from 'prosemirror-history';
import { Selection, type EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { withPlainLineBreaks } from '../line-breaks.js';
import { readSlice, type Sources } from '../surface/sources.js';
import { loadConverter, loadDecoder } from './converter.js';
import { boundaryAt, insertBlocks } from './insertion.js';
import { markdownIn, plainBlocks } from './plain-text.js';
import {
  placeOf,
  runTransfers,
  transfersKey,
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

export interface PasteContext {
  sources: Sources;
  options: FileOptions;
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

/**
 * Inserts files at a position between top-level blocks, one after the other. Reports each file of another type.
 */
export function addFiles(
  view: EditorView,
  files: readonly File[],
  at: number,
  context: PasteContext,
): void {
  const tasks: TransferTask[] = [];
  for (const file of files) {
    const kind = KINDS.find(([name]) => name.test(file.name))?.[1];
    if (kind === undefined) context.options.onNotice?.(refusalOf(file));
    else tasks.push(taskFor(file, kind, context));
  }
  if (tasks.length > 0) void runTransfers(view, at, tasks);
}

/** Returns the message for a file that cannot become text. */
export function refusalOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  return type.startsWith('image/') || IMAGE.test(name)
    ? `${name} wasn't added: documents can't contain image files yet.`
    : `${name} wasn't added: only Markdown, text, HTML and Word (DOCX) files can be.`;
}

/** Returns the position between top-level blocks that is nearest to the pointer. */
export function placeAtPointer(
  view: EditorView,
  { clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>,
): number {
  const { doc } = view.state;
  const text = view.dom.getBoundingClientRect();
  if (clientY <= text.top) return 0;
  if (clientY >= text.bottom) return doc.content.size;
  const left = Math.min(Math.max(clientX, text.left + 1), text.right - 1);
  const found = view.posAtCoords({ left, top: clientY });
  if (!found) return doc.content.size;
  const after = boundaryAt(doc, found.inside >= 0 ? found.inside + 1 : found.pos);
  const { nodeBefore } = doc.resolve(after);
  if (!nodeBefore || nodeBefore.textContent === '') return after;
  const before = after - nodeBefore.nodeSize;
  const block = view.nodeDOM(before);
  if (!(block instanceof HTMLElement)) return after;
  const { top, bottom } = block.getBoundingClientRect();
  return clientY - top < bottom - clientY ? before : after;
}

/** Returns the selection at the end of the text before a position between top-level blocks. */
export function caretBefore({ doc }: EditorState, at: number): Selection {
  return Selection.findFrom(doc.resolve(at), -1, true) ?? Selection.atStart(doc);
}

function taskFor(file: File, kind: FileKind, context: PasteContext): TransferTask {
  const { name } = file;
  const { options } = context;
  if (kind === 'text') {
    const run = async (transfer: Transfer) => {
      if (file.size > 2 * LARGEST_CONTENT) throw new Error(TOO_LONG);
      const { decodeText } = await loadDecoder();
      const text = decodeText(new Uint8Array(await file.arrayBuffer()));
      if (text.includes('\0')) throw new Error("The file isn't text.");
      const isPlain = /\.txt$/i.test(name);
      place(transfer, text, context, isPlain);
    };
    return { fileName: name, label: `Reading ${name}…`, run: withReasons(run) };
  }
  const run = async (transfer: Transfer) => {
    const isSmall = kind === 'html' && file.size <= LARGEST_HTML;
    const { content, warnings } = isSmall
      ? await convertHere(file)
      : await convertThere(file, transfer.signal, options);
    place(transfer, content, context);
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
function place(transfer: Transfer, text: string, { sources }: PasteContext, isPlain = false): void {
  const { view } = transfer;
  const { state } = view;
  const at = placeOf(state, transfer);
  if (at === undefined) return;
  const markdown = withPlainLineBreaks(text).replaceAll(/^\n+|\n+$/g, '');
  if (markdown.trim() === '') throw new Error('It has no text.');
  if (bytesOf(sources.write(state.doc)) + bytesOf(markdown) > LARGEST_CONTENT) {
    throw new Error(TOO_LONG);
  }
  const tr = closeHistory(state.tr);
  const read = (part: string) => readSlice(part, sources).content;
  const blocks = isPlain
    ? (markdownIn(markdown, read, { isInline: false }) ?? plainBlocks(markdown, []))
    : read(markdown);
  const end = insertBlocks(tr, at, blocks);
  // The caret was put there when the file was dropped.
  if (state.selection.eq(caretBefore(state, at)))
    tr.setSelection(caretBefore(view.state.apply(tr), end));
  view.dispatch(
    tr.setMeta(transfersKey, { kind: 'done', transfer, end }).setMeta('uiEvent', 'drop'),
  );
  view.dispatch(closeHistory(view.state.tr));
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
