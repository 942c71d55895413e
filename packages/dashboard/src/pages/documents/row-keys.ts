import type { KeyboardEvent } from 'react';

/** Arrows go from row to row, and Space selects the row of the link it is pressed on. */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  const row = target instanceof HTMLElement ? target.closest('tbody tr') : null;
  if (!row || !(target instanceof HTMLElement)) return;
  if (key === ' ' && target instanceof HTMLAnchorElement) {
    event.preventDefault();
    row.querySelector<HTMLElement>('input[type=checkbox]')?.click();
  }
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  const kind = target instanceof HTMLAnchorElement ? 'a' : 'input[type=checkbox]';
  const all = [...currentTarget.querySelectorAll<HTMLElement>(`tbody tr ${kind}`)];
  const next = all[all.indexOf(target) + (key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
