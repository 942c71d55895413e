import type { KeyboardEvent, ReactNode } from 'react';
import classes from './margin.module.css';

/** Props of every card in the margin. */
export interface CardProps {
  id: string;
  /** True for the one card that the Tab key reaches. */
  isCurrent: boolean;
  isPicked: boolean;
  onPick: () => void;
}

interface CardFrameProps extends CardProps {
  kind: 'conflict' | 'issue' | 'suggestion';
  /** Accessible name. */
  name: string;
  children: ReactNode;
}

/** A card next to its passage. */
export function Card({ id, kind, name, isCurrent, isPicked, onPick, children }: CardFrameProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLLIElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onPick();
    }
  };
  return (
    <li
      className={classes.card}
      data-card={id}
      data-kind={kind}
      data-picked={isPicked || undefined}
      aria-label={name}
      tabIndex={isCurrent ? 0 : -1}
      onKeyDown={onKeyDown}
    >
      {children}
    </li>
  );
}
