import { useEffect, type ReactNode } from 'react';
import { ProductMark } from '../../components/product-mark.js';
import classes from './signed-out-page.module.css';

interface SignedOutPageProps {
  /** The h1, and the title of the browser tab. */
  title: string;
  sentence?: ReactNode;
  children: ReactNode;
}

/** Layout of the pages before sign-in. */
export function SignedOutPage({ title, sentence, children }: SignedOutPageProps) {
  useEffect(() => {
    document.title = `${title} · Document Service`;
  }, [title]);
  return (
    <main className={classes.ground}>
      <div className={classes.product}>
        <ProductMark className={classes.mark} />
        Document Service
      </div>
      <div className={classes.card}>
        <h1 className={classes.title}>{title}</h1>
        {sentence !== undefined && <p className={classes.sentence}>{sentence}</p>}
        {children}
      </div>
    </main>
  );
}
