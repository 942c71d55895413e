import { useCallback, useRef, type KeyboardEvent, type RefCallback } from 'react';

/** Focusable elements of a list or toolbar. */
const CONTROLS = 'a[href], button, input, select, summary';

interface RovingFocus<Container extends HTMLElement> {
  ref: RefCallback<Container>;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onFocus: (event: { target: EventTarget }) => void;
}

interface Options {
  /** Selector of the controls. Default: all. */
  controls?: string;
  /** Selector of the control that Tab reaches first. Default: the first one. */
  start?: string;
  /** Selector of the rows of a list. Up and Down move between rows, Left and Right within one. */
  lines?: string;
}

/**
 * Makes the Tab key stop at a container once. Arrow keys, Home and End move between its controls, and Tab returns to
 * the last focused one. Spread the result on the container.
 */
export function useRovingFocus<Container extends HTMLElement>(
  options: Options = {},
): RovingFocus<Container> {
  const { controls = CONTROLS, start = controls, lines } = options;
  const container = useRef<Container>(null);
  const last = useRef<HTMLElement>(undefined);
  const setStop = useCallback(() => {
    const found = controlsIn(container.current, controls);
    const stop =
      found.find((control) => control === last.current) ??
      found.find((control) => control.matches(start)) ??
      found[0];
    for (const control of found) control.tabIndex = control === stop ? 0 : -1;
  }, [controls, start]);
  const ref = useCallback(
    (element: Container) => {
      container.current = element;
      setStop();
      // Not after each render: that would lay out the page for each key in the editor.
      const observer = new MutationObserver(setStop);
      observer.observe(element, {
        childList: true,
        subtree: true,
        attributes: true,
        attributeFilter: ['disabled', 'aria-current', 'aria-expanded'],
      });
      return () => {
        observer.disconnect();
        container.current = null;
      };
    },
    [setStop],
  );
  return {
    ref,
    onFocus: ({ target }) => {
      if (!(target instanceof HTMLElement) || !target.matches(controls)) return;
      last.current = target;
      setStop();
    },
    onKeyDown: (event) => {
      const { key, target, altKey, ctrlKey, metaKey } = event;
      if (!(target instanceof HTMLElement) || altKey || ctrlKey || metaKey) return;
      // Arrow keys change the value of these.
      if (event.defaultPrevented || target.matches('select, input:not([type=checkbox])')) return;
      const found = controlsIn(container.current, controls);
      const next =
        lines === undefined
          ? nextOf(found, target, key)
          : nextInLines(found, target, key, lines, controls);
      if (!next || !found.includes(target)) return;
      event.preventDefault();
      next.focus();
    },
  };
}

function controlsIn(container: HTMLElement | null, selector: string): HTMLElement[] {
  if (!container) return [];
  return [...container.querySelectorAll<HTMLElement>(selector)].filter(
    // Skips controls that are hidden on phones.
    (control) => !control.matches(':disabled') && control.getClientRects().length > 0,
  );
}

function nextOf(
  controls: readonly HTMLElement[],
  target: HTMLElement,
  key: string,
): HTMLElement | undefined {
  const index = controls.indexOf(target);
  switch (key) {
    case 'ArrowRight':
      return controls[index + 1];
    case 'ArrowLeft':
      return controls[index - 1];
    case 'Home':
      return controls[0];
    case 'End':
      return controls.at(-1);
    default:
      return undefined;
  }
}

/** Up and Down keep the position in the row, such as the checkbox. */
function nextInLines(
  controls: readonly HTMLElement[],
  target: HTMLElement,
  key: string,
  lines: string,
  selector: string,
): HTMLElement | undefined {
  const line = target.closest(lines);
  const inLine = controls.filter((control) => control.closest(lines) === line);
  if (key === 'ArrowLeft' || key === 'ArrowRight') return nextOf(inLine, target, key);
  const all = [...new Set(controls.map((control) => control.closest(lines)))];
  const index = all.indexOf(line);
  const moves: Partial<Record<string, Element | null | undefined>> = {
    ArrowDown: all[index + 1],
    ArrowUp: all[index - 1],
    Home: all[0],
    End: all.at(-1),
  };
  const wanted = moves[key];
  if (!(wanted instanceof HTMLElement)) return undefined;
  const there = controlsIn(wanted, selector);
  return there.find((control) => isSamePlace(control, target)) ?? there[0];
}

function isSamePlace(one: HTMLElement, other: HTMLElement): boolean {
  const [cell, otherCell] = [one.closest('td, th'), other.closest('td, th')];
  return (
    cell instanceof HTMLTableCellElement &&
    otherCell instanceof HTMLTableCellElement &&
    cell.cellIndex === otherCell.cellIndex
  );
}
