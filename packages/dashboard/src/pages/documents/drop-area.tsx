import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import classes from './documents-page.module.css';

interface DropAreaProps {
  onFiles: (files: readonly File[]) => void;
  disabled: boolean;
  children: ReactNode;
}

/** Accepts files dropped anywhere on the page. */
export function DropArea({ onFiles, disabled, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  // The browser reports enter and leave for each element below the pointer.
  const depth = useRef(0);
  const hasFiles = (event: DragEvent) => !disabled && event.dataTransfer.types.includes('Files');
  return (
    <div
      className={classes.drop}
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragOver={(event) => {
        if (hasFiles(event)) event.preventDefault();
      }}
      onDragLeave={(event) => {
        if (!hasFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver && <div className={classes.dropHint}>Drop files to import them</div>}
    </div>
  );
}
