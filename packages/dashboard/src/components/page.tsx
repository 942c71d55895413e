import { useEffect, useId, type ReactNode } from 'react';
import classes from './page.module.css';
import { useRovingFocus } from './roving-focus.js';

interface PageProps {
  /** The h1, and the title of the browser tab. */
  title: string;
  /** Link to the list that contains this page. */
  above?: ReactNode;
  /** One sentence below the title. */
  sentence?: ReactNode;
  /** Buttons at the top right, the primary one last. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Frame of every page. */
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

/** Sets the title of the browser tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Document Service`;
  }, [title]);
}

/** The buttons of a page. The Tab key stops at them once. */
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
  /** Buttons beside the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with its own heading. */
export function Section({ title, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id} data-section>
      <div className={classes.sectionHead}>
        <h2 id={id} className={classes.sectionTitle}>
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
