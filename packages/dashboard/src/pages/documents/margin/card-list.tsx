import {
  Fragment,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { isFocusLost } from '../../../components/focus-lost.js';
import type { DocumentSession } from '../editor/document-session.js';
import type { CardProps } from './card.js';
import classes from './margin.module.css';
import { stackCards } from './stack-cards.js';

/** A card and the position of its passage. */
export interface MarginCard {
  id: string;
  /** Position of the passage in the editor. */
  from: number;
  /** Distance of its line from the top of the text, in px. Undefined if the passage is gone. */
  top: number | undefined;
  render: (props: CardProps) => ReactNode;
}

interface CardListProps {
  session: DocumentSession;
  cards: readonly MarginCard[];
  picked: string | undefined;
  isBeside: boolean;
  /** False for cards that are not next to their lines. */
  isStacked?: boolean;
  /** Accessible name. */
  label?: string;
}

/** The Tab key stops at the list once; arrow keys move between cards. */
export function CardList(props: CardListProps) {
  const {
    session,
    cards,
    picked,
    isBeside,
    isStacked = isBeside,
    label = 'Notes on the text',
  } = props;
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<string>();
  const has = (id: string | undefined) => cards.some((card) => card.id === id);
  const current = has(focused) ? focused : has(picked) ? picked : cards[0]?.id;
  const stack = useEffectEvent(() => {
    if (list.current && isStacked) stackCards(list.current, session.element, cards, picked);
  });
  useLayoutEffect(() => {
    stack();
  });
  const ids = cards.map(({ id }) => id).join(' ');
  // A card grows when it shows its rule, and when a font arrives.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      stack();
    });
    const elements = list.current?.querySelectorAll('[data-card]') ?? [];
    for (const element of elements) observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [ids]);
  useFocusOfGoneCard(list, cards, (next) => {
    if (next) {
      session.pick(next.id);
      cardOf(list.current, next.id)?.focus();
    } else focusAfterCards(session, list.current, isBeside);
  });
  useEffect(() => {
    if (picked === undefined || isStacked) return;
    cardOf(list.current, picked)?.scrollIntoView({ block: 'nearest' });
  }, [picked, isStacked]);
  const onKeyDown = (event: KeyboardEvent) => {
    // React reports keys in menus of the cards, too.
    if (!event.currentTarget.contains(event.target as Node)) return;
    if (isBeside && returnsToText(event)) {
      if (event.key === 'Escape') event.preventDefault();
      session.editor.focus();
      return;
    }
    const step = stepOf(event);
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = cards[cards.findIndex(({ id }) => id === current) + step];
    if (!next) return;
    session.pick(next.id);
    cardOf(list.current, next.id)?.focus();
  };
  return (
    <ul
      ref={list}
      className={classes.list}
      hidden={cards.length === 0}
      data-beside={isStacked || undefined}
      aria-label={label}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        setFocused(target.closest<HTMLElement>('[data-card]')?.dataset['card']);
      }}
    >
      {cards.map(({ id, render }) => (
        <Fragment key={id}>
          {render({
            id,
            isCurrent: id === current,
            isPicked: id === picked,
            onPick: () => {
              session.jumpToMark(id);
            },
          })}
        </Fragment>
      ))}
    </ul>
  );
}

/** Returns true for Escape and for letters, which belong into the text. */
function returnsToText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  return key === 'Escape' || (key.length === 1 && key !== ' ');
}

/** Returns how many cards a key moves on. */
function stepOf({ key, shiftKey }: KeyboardEvent): number {
  if (key === 'F7') return shiftKey ? -1 : 1;
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
}

/** When the focused card is removed, the focus moves to the next card. `next` is undefined after the last card. */
function useFocusOfGoneCard(
  list: RefObject<HTMLUListElement | null>,
  cards: readonly MarginCard[],
  onGone: (next: MarginCard | undefined) => void,
) {
  const focused = useRef(-1);
  useEffect(() => {
    const onFocus = () => {
      const card = document.activeElement?.closest<HTMLElement>('[data-card]');
      focused.current = cards.findIndex(({ id }) => id === card?.dataset['card']);
    };
    if (focused.current !== -1 && isFocusLost()) {
      onGone(cards[Math.min(focused.current, cards.length - 1)]);
    }
    document.addEventListener('focusin', onFocus);
    return () => {
      document.removeEventListener('focusin', onFocus);
    };
  });
}

/** Moves the focus from `gone`, a part of the panel that is empty now, to a card elsewhere, or else to the text. */
export function focusAfterCards(
  session: DocumentSession,
  gone: HTMLElement | null,
  isBeside: boolean,
): void {
  const panel = gone?.closest('aside');
  const card = panel?.querySelector<HTMLElement>('[data-card]');
  if (card) card.focus();
  else if (isBeside) session.editor.focus();
  else panel?.focus();
}

function cardOf(list: HTMLElement | null, id: string): HTMLElement | undefined {
  const cards = [...(list?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];
  return cards.find(({ dataset }) => dataset['card'] === id);
}
