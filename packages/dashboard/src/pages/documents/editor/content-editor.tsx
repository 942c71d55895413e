import { useEffect, useRef, type Ref } from 'react';
import { useImperativeHandle } from 'react';
import { showNotice } from '../../../components/messages.js';
import { createEditor, type EditorHandle, type MarkedRange } from './code-mirror.js';
import classes from './content-editor.module.css';

interface ContentEditorProps {
  /** Accessible name of the text box. */
  label?: string;
  /** The text it begins with; later ones come by the handle's `setText`. */
  initialText: string;
  readOnly?: boolean;
  placeholder?: string;
  /** `compact` in dialogs, `text` as high as its text and without a frame. */
  size?: 'page' | 'compact' | 'text';
  /** `plain` shows the Markdown in any case. */
  view?: 'live' | 'plain';
  marks?: readonly MarkedRange[];
  onChange?: (text: string) => void;
  ref?: Ref<EditorHandle>;
}

const NO_MARKS: readonly MarkedRange[] = [];

/** A text box for Markdown. */
export function ContentEditor({
  label = 'Content',
  initialText,
  readOnly = false,
  placeholder,
  size = 'page',
  view = 'live',
  marks = NO_MARKS,
  onChange,
  ref,
}: ContentEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorHandle>(null);
  const listener = useRef(onChange);
  const beginning = useRef({ text: initialText, placeholder });
  useEffect(() => {
    listener.current = onChange;
  }, [onChange]);
  useEffect(() => {
    if (!host.current) return undefined;
    const { text, placeholder: hint } = beginning.current;
    const created = createEditor(host.current, {
      label,
      text,
      readOnly,
      placeholder: hint,
      view,
      onNotice: showNotice,
      onChange: (changed) => {
        beginning.current.text = changed;
        listener.current?.(changed);
      },
    });
    editor.current = created;
    return () => {
      created.destroy();
      editor.current = null;
    };
  }, [label, readOnly, view]);
  useEffect(() => {
    editor.current?.mark(marks);
  }, [marks, label, readOnly, view]);
  useImperativeHandle(
    ref,
    () => ({
      setText: (text) => {
        beginning.current.text = text;
        editor.current?.setText(text);
      },
      mark: (ranges) => editor.current?.mark(ranges),
      setReadOnly: (isReadOnly) => editor.current?.setReadOnly(isReadOnly),
      jumpTo: (from, to) => editor.current?.jumpTo(from, to),
      focus: () => editor.current?.focus(),
      destroy: () => undefined,
    }),
    [],
  );
  return <div ref={host} className={classes.host} data-size={size} />;
}
