import { useId, useState, type DragEvent } from 'react';
import classes from './file-zone.module.css';
import { Icon } from './icons.js';

interface FileZoneProps {
  label: string;
  /** Which files are accepted, or the chosen file. */
  hint: string;
  /** Extensions, as in the attribute of an input. */
  accept: string;
  multiple?: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** An area that accepts dropped files. A click, Enter or Space opens the browser's file dialog. */
export function FileZone({ label, hint, accept, multiple = false, onFiles }: FileZoneProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    <label
      className={classes.zone}
      data-over={isOver || undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        // The page below accepts files, too.
        event.stopPropagation();
        setOver(false);
        const files = [...event.dataTransfer.files];
        onFiles(multiple ? files : files.slice(0, 1));
      }}
    >
      <input
        className="visually-hidden"
        type="file"
        aria-label={label}
        aria-describedby={id}
        accept={accept}
        multiple={multiple}
        data-autofocus
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again after it was changed.
          if (multiple) currentTarget.value = '';
        }}
      />
      <Icon name="upload" size={24} />
      <span className={classes.sentence}>
        {multiple ? 'Drop files here, or ' : 'Drop a file here, or '}
        <span className={classes.action}>{multiple ? 'choose files' : 'choose a file'}</span>
      </span>
      <span id={id} className={classes.hint}>
        {hint}
      </span>
    </label>
  );
}
