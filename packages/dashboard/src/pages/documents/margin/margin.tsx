import {
  Fragment,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { asFailure } from '../../../api/failure.js';
import { formatCount } from '../../../components/numbers.js';
import type { OpenConflict } from '../editor/conflicts.js';
import type { DocumentSession, SessionView } from '../editor/document-session.js';
import type { MarkPlace } from '../editor/marks.js';
import type { CardProps } from './card.js';
import { ConflictCard } from './conflict-card.js';
import { stackCards } from './stack-cards.js';
import classes from './margin.module.css';
import { ManyConflicts } from './many-conflicts.js';
import { SuggestionCard } from './suggestion-card.js';
import { acceptSuggestions, type useSuggestions } from './use-suggestions.js';
import { usePlaces } from './use-places.js';

/** Conflicts up to which each has its card. */
const MOST_CONFLICTS = 10;
/** Suggestions that are listed at once. */
const MOST_SUGGESTIONS = 200;

interface MarginProps {
  session: DocumentSession;
  view: SessionView;
  /** Without it, the margin shows conflicts only. */
  suggestions?: ReturnType<typeof useSuggestions> | undefined;
  /** True if the cards stand beside their lines; otherwise they are a list. */
  isBeside: boolean;
}

interface MarginCard {
  id: string;
  from: number;
  top: number | undefined;
  render: (props: CardProps) => ReactNode;
}

/** Cards about passages of the text: conflicts and suggestions. */
export function Margin({ session, view, suggestions, isBeside }: MarginProps) {
  const places = usePlaces(session);
  const byId = new Map(places.map((place) => [place.id, place]));
  const { conflicts, titleConflict } = view.state;
  const conflictCards = conflicts.length > MOST_CONFLICTS ? [] : conflicts;
  const cards = [
    ...conflictCards.map((conflict) => conflictCard(session, conflict, byId)),
    ...suggestionCards(session, suggestions, byId),
  ].sort((one, other) => one.from - other.from);
  const hidden = (suggestions?.open.length ?? 0) - MOST_SUGGESTIONS;
  return (
    <>
      {conflicts.length > MOST_CONFLICTS && (
        <ManyConflicts session={session} conflicts={conflicts} documentId={view.documentId ?? ''} />
      )}
      {titleConflict && (
        <ul className={classes.list} aria-label="Title">
          <ConflictCard
            id="title"
            isCurrent
            isPicked={false}
            onPick={() => undefined}
            conflict={{ ...titleConflict, yours: view.texts.title }}
            subject="the title"
            choices={['yours', 'theirs']}
            onDecide={(choice) => {
              session.decideTitle(choice === 'theirs' ? 'theirs' : 'yours');
              session.editor.focus();
            }}
          />
        </ul>
      )}
      <CardList session={session} cards={cards} picked={view.picked} isBeside={isBeside} />
      {hidden > 0 && (
        <p className={classes.more}>
          {formatCount(hidden)} more. They appear when you accept or reject others.
        </p>
      )}
    </>
  );
}

function conflictCard(
  session: DocumentSession,
  conflict: OpenConflict,
  places: ReadonlyMap<string, MarkPlace>,
): MarginCard {
  const place = places.get(conflict.id);
  return {
    id: conflict.id,
    from: place?.from ?? conflict.from,
    top: place?.top,
    render: (props) => (
      <ConflictCard
        {...props}
        conflict={conflict}
        onDecide={(choice) => {
          session.decide([conflict], choice);
        }}
      />
    ),
  };
}

function suggestionCards(
  session: DocumentSession,
  suggestions: MarginProps['suggestions'],
  places: ReadonlyMap<string, MarkPlace>,
): MarginCard[] {
  const { enhancement, open = [], reject } = suggestions ?? {};
  if (!enhancement || !reject) return [];
  return open.slice(0, MOST_SUGGESTIONS).flatMap((suggestion) => {
    const { id } = suggestion;
    const place = places.get(id);
    const isCurrentText = place?.isOriginal === true;
    // Accepted, and not undone.
    if (session.acceptances.has(id) && !isCurrentText) return [];
    const isThis = reject.variables?.suggestionIds[0] === id;
    return {
      id,
      from: place?.from ?? suggestion.start,
      top: place?.top,
      render: (props: CardProps) => (
        <SuggestionCard
          {...props}
          suggestion={suggestion}
          isCurrentText={isCurrentText}
          isRejecting={isThis && reject.isPending}
          problem={
            isThis && reject.error
              ? `Couldn't reject the suggestion: ${asFailure(reject.error).message}`
              : undefined
          }
          onAccept={(value) => {
            acceptSuggestions(session, enhancement.id, [{ suggestion, value }]);
          }}
          onReject={() => {
            reject.mutate({ id: enhancement.id, suggestionIds: [id] });
          }}
        />
      ),
    };
  });
}

interface CardListProps {
  session: DocumentSession;
  cards: readonly MarginCard[];
  picked: string | undefined;
  isBeside: boolean;
}

/** The list has one stop for the Tab key; the arrow keys go from card to card. */
function CardList({ session, cards, picked, isBeside }: CardListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<string>();
  const has = (id: string | undefined) => cards.some((card) => card.id === id);
  const current = has(focused) ? focused : has(picked) ? picked : cards[0]?.id;
  useLayoutEffect(() => {
    if (list.current && isBeside) stackCards(list.current, session.element, cards, picked);
  });
  useFocusOfGoneCard(list, cards, () => {
    if (isBeside) session.editor.focus();
    else list.current?.closest('aside')?.focus();
  });
  useEffect(() => {
    if (picked === undefined || isBeside) return;
    cardOf(list.current, picked)?.scrollIntoView({ block: 'nearest' });
  }, [picked, isBeside]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
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
      data-beside={isBeside || undefined}
      aria-label="Notes on the text"
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

/** When the card with the focus goes, the focus moves to the next one; after the last, `onLast` is called. */
function useFocusOfGoneCard(
  list: RefObject<HTMLUListElement | null>,
  cards: readonly MarginCard[],
  onLast: () => void,
) {
  const focused = useRef(-1);
  useEffect(() => {
    const onFocus = () => {
      const card = document.activeElement?.closest<HTMLElement>('[data-card]');
      focused.current = cards.findIndex(({ id }) => id === card?.dataset['card']);
    };
    if (focused.current !== -1 && document.activeElement === document.body) {
      const next = cards[Math.min(focused.current, cards.length - 1)];
      if (next) cardOf(list.current, next.id)?.focus();
      else onLast();
    }
    document.addEventListener('focusin', onFocus);
    return () => {
      document.removeEventListener('focusin', onFocus);
    };
  });
}

function cardOf(list: HTMLElement | null, id: string): HTMLElement | undefined {
  const cards = [...(list?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];
  return cards.find(({ dataset }) => dataset['card'] === id);
}
