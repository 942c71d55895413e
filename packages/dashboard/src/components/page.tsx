import { useEffect, useId, type ReactNode } from 'react';
import classes from './page.module.css';

interface PageProps {
  /** The h1, and the title of the tab. */
  title: string;
  /** One sentence below it. */
  sentence?: ReactNode;
  /** Buttons top right, the primary one last. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame that every page has. */
export function Page({ title, sentence, actions, children }: PageProps) {
  usePageTitle(title);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div>
          <h1 className={classes.title}>{title}</h1>
          {sentence !== undefined && <p className={classes.sentence}>{sentence}</p>}
        </div>
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
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

interface SectionProps {
  title: string;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ title, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 id={id} className={classes.sectionTitle}>
        {title}
      </h2>
      {children}
    </section>
  );
}
