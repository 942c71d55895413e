import type { ReactNode } from 'react';
import { formatCount } from '../../../components/numbers.js';
import type { OpenConflict } from '../editor/conflicts.js';
import type { DocumentSession, SessionView } from '../editor/document-session.js';
import type { MarkPlace } from '../editor/marks.js';
import type { CardProps } from './card.js';
import { CardList, type MarginCard } from './card-list.js';
import { ConflictCard } from './conflict-card.js';
import classes from './margin.module.css';
import { ManyConflicts } from './many-conflicts.js';
import { usePlaces } from './use-places.js';

/** Maximum number of conflicts with a card each. */
const MOST_CONFLICTS = 10;
/** Maximum number of other cards. */
const MOST_NOTES = 200;

const NO_NOTES: readonly MarginNote[] = [];

/** A note on a marked passage. It has a card while the passage is unchanged. */
export interface MarginNote {
  /** ID of the mark. */
  id: string;
  render: (props: CardProps) => ReactNode;
}

interface MarginProps {
  session: DocumentSession;
  view: SessionView;
  /** Notes in text order, besides the conflicts. */
  notes?: readonly MarginNote[];
  /** True if the cards are next to their lines; otherwise they are a list. */
  isBeside: boolean;
}

/** Cards about passages of the text: conflicts, and the notes of a panel. */
export function Margin({ session, view, notes = NO_NOTES, isBeside }: MarginProps) {
  const places = usePlaces(session);
  const byId = new Map(places.map((place) => [place.id, place]));
  const { conflicts, titleConflict } = view.state;
  const isSuggestion = view.suggesting !== undefined;
  const conflictCards = conflicts.length > MOST_CONFLICTS ? [] : conflicts;
  const cards = [
    ...conflictCards.map((conflict) => conflictCard(session, { conflict, isSuggestion }, byId)),
    ...notes.slice(0, MOST_NOTES).flatMap((note) => noteCard(note, byId.get(note.id))),
  ].sort((one, other) => one.from - other.from);
  const hidden = notes.length - MOST_NOTES;
  return (
    <>
      {conflicts.length > MOST_CONFLICTS && (
        <ManyConflicts
          session={session}
          conflicts={conflicts}
          documentId={view.documentId ?? ''}
          isSuggestion={isSuggestion}
        />
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
            isSuggestion={isSuggestion}
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
          {formatCount(hidden)} more. They appear when you accept or ignore others.
        </p>
      )}
    </>
  );
}

function conflictCard(
  session: DocumentSession,
  { conflict, isSuggestion }: { conflict: OpenConflict; isSuggestion: boolean },
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
        isSuggestion={isSuggestion}
        onDecide={(choice) => {
          session.decide([conflict], choice);
        }}
      />
    ),
  };
}

function noteCard(note: MarginNote, place: MarkPlace | undefined): MarginCard[] {
  // The passage was changed or replaced.
  if (place?.isOriginal !== true) return [];
  return [{ id: note.id, from: place.from, top: place.top, render: note.render }];
}
