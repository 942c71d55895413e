import { useEffect, useRef, useState, type ReactNode } from 'react';
import classes from './data-table.module.css';

interface ScrollFrameProps {
  name: string;
  children: ReactNode;
}

/** Frame of a table. It is focusable only if the table is wider, so that the keyboard can scroll it. */
export function ScrollFrame({ name, children }: ScrollFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [isScrollable, setScrollable] = useState(false);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const observer = new ResizeObserver(() => {
      setScrollable(current.scrollWidth > current.clientWidth);
    });
    observer.observe(current);
    for (const child of current.children) observer.observe(child);
    return () => {
      observer.disconnect();
    };
  }, []);
  return (
    <div
      ref={frame}
      className={classes.frame}
      {...(isScrollable && { role: 'region', 'aria-label': name, tabIndex: 0 })}
    >
      {children}
    </div>
  );
}
