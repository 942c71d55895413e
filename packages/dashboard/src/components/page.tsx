import { useEffect, useId, type ReactNode } from 'react';
import classes from './page.module.css';
import { useRovingFocus } from './roving-focus.js';

interface PageProps {
  /** The h1, and the title of the tab. */
  title: string;
  /** The link to the list that this is one of. */
  above?: ReactNode;
  /** One sentence below it. */
  sentence?: ReactNode;
  /** Buttons top right, the primary one last. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame that every page has. */
export function Page({ title, above, sentence, actions, children }: PageProps) {
  usePageTitle(title);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div>
          {above !== undefined && <div className={classes.above}>{above}</div>}
          <h1 className={classes.title}>{title}</h1>
          {sentence !== undefined && <p className={classes.sentence}>{sentence}</p>}
        </div>
        {actions !== undefined && actions !== false && <Actions>{actions}</Actions>}
      </header>
      {children}
    </div>
  );
}

/** Sets the title of the tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Document Service`;
  }, [title]);
}

/** The buttons of a page: one stop of the Tab key. */
function Actions({ children }: { children: ReactNode }) {
  const roving = useRovingFocus<HTMLDivElement>();
  return (
    <div className={classes.actions} role="toolbar" aria-label="Page actions" {...roving}>
      {children}
    </div>
  );
}

interface SectionProps {
  title: string;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ title, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id} data-section>
      <h2 id={id} className={classes.sectionTitle}>
        {title}
      </h2>
      {children}
    </section>
  );
}
