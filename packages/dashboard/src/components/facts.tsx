import { Fragment, type ReactNode } from 'react';
import classes from './facts.module.css';

/** A list of names and values. Skips entries without a value. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  const isKnown = (value: ReactNode) => Boolean(value) || value === 0;
  const known = of.filter(([, value]) => isKnown(value));
  return (
    <dl className={classes.facts}>
      {known.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
