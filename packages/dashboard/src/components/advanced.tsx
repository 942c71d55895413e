import { useEffect, useRef, type ReactNode } from 'react';
import classes from './advanced.module.css';

interface AdvancedProps {
  /** What is inside, such as "Payload, filter, headers". */
  contents: string;
  /** True shows the fields: one of them has a value or a problem. */
  isNeeded: boolean;
  children: ReactNode;
}

/** Fields that few people need. They stay hidden until somebody opens them or they are needed. */
export function Advanced({ contents, isNeeded, children }: AdvancedProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isNeeded && details.current) details.current.open = true;
  }, [isNeeded]);
  return (
    <details ref={details} className={classes.advanced}>
      <summary>
        Advanced <span>{contents}</span>
      </summary>
      <div className={classes.fields}>{children}</div>
    </details>
  );
}
