import { asFailure } from '../../../api/failure.js';
import { formatCount } from '../../../components/numbers.js';
import type { OpenConflict } from '../editor/conflicts.js';
import type { DocumentSession, SessionView } from '../editor/document-session.js';
import type { MarkPlace } from '../editor/marks.js';
import type { CardProps } from './card.js';
import { CardList, type MarginCard } from './card-list.js';
import { ConflictCard } from './conflict-card.js';
import classes from './margin.module.css';
import { ManyConflicts } from './many-conflicts.js';
import { SuggestionCard } from './suggestion-card.js';
import { acceptSuggestions, type useSuggestions } from './use-suggestions.js';
import { usePlaces } from './use-places.js';

/** Maximum number of conflicts with a card each. */
const MOST_CONFLICTS = 10;
/** Maximum number of suggestions to list. */
const MOST_SUGGESTIONS = 200;

interface MarginProps {
  session: DocumentSession;
  view: SessionView;
  /** Without it, the margin only shows conflicts. */
  suggestions?: ReturnType<typeof useSuggestions> | undefined;
  /** True if the cards are next to their lines; otherwise they are a list. */
  isBeside: boolean;
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
  const { enhancement, open = [], reject, turn } = suggestions ?? {};
  if (!enhancement || !reject) return [];
  return open.slice(0, MOST_SUGGESTIONS).flatMap((suggestion) => {
    const { id } = suggestion;
    const place = places.get(id);
    const isCurrentText = place?.isOriginal === true;
    // Accepted suggestions, without undone ones.
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
          onTurnOff={
            turn &&
            ((ruleId) => {
              turn(ruleId, false);
            })
          }
        />
      ),
    };
  });
}
