import { useEffect, useState } from 'react';
import { useRovingFocus } from '../../components/roving-focus.js';
import classes from './document-page.module.css';
import type { EditorHandle } from './editor/editor.js';
import type { Heading } from './editor/headings.js';

/** A shorter outline would only repeat the page. */
const FEWEST = 2;

const NO_HEADINGS: readonly Heading[] = [];

/** The headings of the text next to it, as many as fit into the window. */
export function Outline({ editor }: { editor: EditorHandle }) {
  const headings = useHeadings(editor);
  if (headings.length < FEWEST) return <div className={classes.outline} />;
  return (
    <nav className={classes.outline} aria-label="Outline">
      <HeadingList editor={editor} headings={headings} />
    </nav>
  );
}

/** Returns the headings of the text. */
export function useHeadings(editor: EditorHandle): readonly Heading[] {
  const [headings, setHeadings] = useState(NO_HEADINGS);
  useEffect(() => editor.onHeadings(setHeadings), [editor]);
  return headings;
}

interface HeadingListProps {
  editor: EditorHandle;
  headings: readonly Heading[];
}

function showEntry(entry: HTMLElement | null): void {
  entry?.scrollIntoView({ block: 'nearest' });
}

/** Headings as buttons that show their section. */
export function HeadingList({ editor, headings }: HeadingListProps) {
  const current = useCurrentHeading(editor, headings);
  const roving = useRovingFocus<HTMLUListElement>({ start: '[aria-current]' });
  const top = Math.min(...headings.map(({ level }) => level));
  return (
    <ul {...roving} className={classes.headings}>
      {headings.map(({ from, level, text }, index) => (
        <li key={`${String(index)} ${text}`} data-depth={Math.min(2, level - top)}>
          <button
            type="button"
            dir="auto"
            ref={index === current ? showEntry : undefined}
            aria-current={index === current ? 'location' : undefined}
            onClick={() => {
              editor.jumpTo(from, from, 'start');
            }}
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Index of the heading whose section is at the top of the window. */
function useCurrentHeading(editor: EditorHandle, headings: readonly Heading[]): number {
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    let frame = 0;
    const find = () => {
      frame = 0;
      const position = editor.topPosition();
      setCurrent(
        Math.max(
          0,
          headings.findLastIndex(({ from }) => from <= position),
        ),
      );
    };
    const onScroll = () => {
      frame ||= requestAnimationFrame(find);
    };
    onScroll();
    document.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('scroll', onScroll);
    };
  }, [editor, headings]);
  return current;
}
