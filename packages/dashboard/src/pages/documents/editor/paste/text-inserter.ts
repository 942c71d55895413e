import { closeHistory } from 'prosemirror-history';
import { Fragment, type Slice } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { schema } from '../surface/schema.js';
import { readSlice, type Sources } from '../surface/sources.js';
import { insertSlice, isBlank, sliceOf, type Span } from './insertion.js';
import { markdownIn, plainBlocks } from './plain-text.js';

/** Inserts pasted text. Links in Markdown may use the references of `sources`. */
export class TextInserter {
  constructor(private readonly sources: Sources) {}

  readonly read = (markdown: string): Fragment => readSlice(markdown, this.sources).content;

  /** Inserts text that may be Markdown. Several lines of code become a code block. */
  insertText(view: EditorView, range: Span, text: string, isCode = false): void {
    const isInline = !isBlank(view.state.doc, range);
    const blocks = markdownIn(text, this.read, { isInline });
    if (blocks) this.insertBlocks(view, range, blocks);
    else if (isCode && text.trim().includes('\n')) {
      const code = schema.text(text.replaceAll(/^(?:[ \t]*\n)+|\s+$/g, ''));
      this.insertBlocks(view, range, Fragment.from(schema.node('code_block', null, code)));
    } else this.insertPlain(view, range, text);
  }

  insertPlain(view: EditorView, range: Span, text: string): void {
    const { doc, storedMarks } = view.state;
    const marks = storedMarks ?? doc.resolve(range.from).marks();
    this.insertBlocks(view, range, plainBlocks(text, marks));
  }

  insertBlocks(view: EditorView, range: Span, blocks: Fragment): void {
    this.insertSlice(view, range, sliceOf(blocks, view.state.doc.resolve(range.from)));
  }

  insertCode(view: EditorView, { from, to }: Span, text: string): void {
    if (text === '') return;
    const { tr, doc } = view.state;
    const isBlock = doc.resolve(from).parent.type.spec.code === true;
    const code = isBlock ? text : text.replaceAll(/\s*\n\s*/g, ' ');
    dispatchPaste(view, tr.insertText(code, from, to));
  }

  /** Replaces a range, and moves the caret if it is there. */
  insertSlice(view: EditorView, range: Span, slice: Slice): void {
    const { tr, selection, storedMarks } = view.state;
    const isCaretThere = selection.from === range.from && selection.to === range.to;
    const marks = storedMarks ?? tr.doc.resolve(range.from).marks();
    const behind = insertSlice(tr, range, slice);
    if (isCaretThere) {
      tr.setSelection(behind).scrollIntoView();
      // What is typed next looks like the text before.
      tr.setStoredMarks(behind.$head.parent.type.allowedMarks(marks));
    }
    dispatchPaste(view, tr);
  }
}

/** One paste is one undo step. */
export function dispatchPaste(view: EditorView, tr: Transaction): void {
  view.dispatch(closeHistory(tr).setMeta('paste', true).setMeta('uiEvent', 'paste'));
  view.dispatch(closeHistory(view.state.tr));
}
