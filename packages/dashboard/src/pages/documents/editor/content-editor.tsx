import { useEffect, useRef } from 'react';
import { showNotice } from '../../../components/messages.js';
import { createEditor, type EditorHandle } from './editor.js';
import classes from './content-editor.module.css';

interface ContentEditorProps {
  /** Accessible name of the text box. */
  label?: string;
  text: string;
  readOnly?: boolean;
  placeholder?: string;
  /** `text` grows with its content and has no frame. */
  size?: 'page' | 'text';
  /** Called after a person changed the text. */
  onChange?: (text: string) => void;
}

/** A text box for Markdown. */
export function ContentEditor(props: ContentEditorProps) {
  const { label = 'Content', text, readOnly = false, placeholder, size = 'page', onChange } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorHandle>(null);
  const newest = useRef({ text, onChange });
  useEffect(() => {
    newest.current.onChange = onChange;
  }, [onChange]);
  useEffect(() => {
    if (!host.current) return undefined;
    const created = createEditor(host.current, {
      label,
      text: newest.current.text,
      readOnly,
      placeholder,
      onNotice: showNotice,
      onChange: (changed) => {
        newest.current.text = changed;
        newest.current.onChange?.(changed);
      },
    });
    editor.current = created;
    return () => {
      created.destroy();
      editor.current = null;
    };
  }, [label, placeholder, readOnly]);
  useEffect(() => {
    if (text === newest.current.text) return;
    newest.current.text = text;
    editor.current?.setText(text);
  }, [text]);
  return <div ref={host} className={classes.host} data-size={size} />;
}
