import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { dataOf } from '../../../api/client.js';
import { useAccount } from '../../../api/session.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { isFocusLost } from '../../../components/focus-lost.js';
import { countOf } from '../../../components/numbers.js';
import { Time } from '../../../components/time.js';
import { useSearchState } from '../../../search-state.js';
import { countsText, senderOf } from '../../proposals/proposal.js';
import { Sender } from '../../proposals/sender.js';
import type { DocumentSession } from '../editor/document-session.js';
import type { MarkPlace } from '../editor/marks.js';
import { CardList, focusAfterCards, type MarginCard } from '../margin/card-list.js';
import type { MarginNote } from '../margin/margin.js';
import classes from '../margin/margin.module.css';
import { acceptReplacements } from './accept.js';
import { Change, ChangeCard } from './change-card.js';
import type { FieldChange, useProposals } from './use-proposals.js';
import type { Enhancement, Suggestion } from './use-suggestions.js';

export interface ProposalsProps {
  session: DocumentSession;
  proposals: ReturnType<typeof useProposals>;
  /** Places of the marked passages that still have their original text, by ID. */
  places: ReadonlyMap<string, MarkPlace>;
  /** True if the person may accept and reject. */
  mayDecide: boolean;
}

/** Returns the cards of the proposed changes of the text. */
export function proposalNotes({ session, proposals, places, mayDecide }: ProposalsProps) {
  const { proposals: all, reject } = proposals;
  return all.flatMap(({ proposal }) =>
    openIn(proposal.suggestions)
      .filter(({ id }) => places.has(id))
      .map((suggestion): MarginNote => {
        const { id, original: from, message } = suggestion;
        const { name } = senderOf(proposal);
        return {
          id,
          render: (card) => (
            <ChangeCard
              {...card}
              title={name}
              from={from}
              to={replacementOf(suggestion)}
              // The message of the proposal is above.
              message={hasOwnMessage(suggestion, proposal) ? message : undefined}
              onAccept={
                mayDecide
                  ? () => {
                      acceptReplacements(session, [acceptanceOf(proposal, suggestion)]);
                    }
                  : undefined
              }
              onReject={
                mayDecide
                  ? () => {
                      reject({ id: proposal.id, suggestionIds: [id] });
                    }
                  : undefined
              }
            />
          ),
        };
      }),
  );
}

/** The open proposals: who sent them and why, changes of fields, and what no longer applies. */
export function ProposalSections(
  props: ProposalsProps & { isBeside: boolean; picked: string | undefined },
) {
  const { session, proposals, places, isBeside } = props;
  const [{ proposal: chosen }] = useSearchState();
  const container = useRef<HTMLDivElement>(null);
  useFocusOfGoneSection(container, () => {
    focusAfterCards(session, container.current, isBeside);
  });
  const all = proposals.proposals;
  useChosenProposal(all.find(({ proposal }) => proposal.id === chosen)?.proposal, props, container);
  const isOpen = all.some(({ proposal }) => proposal.id === chosen);
  const [lastOpen, setLastOpen] = useState<string>();
  if (isOpen && lastOpen !== chosen) setLastOpen(chosen);
  // A proposal that was open on this page needs no message after its decision.
  const isDecided = chosen !== undefined && proposals.isLoaded && !isOpen && lastOpen !== chosen;
  return (
    <div ref={container} className={classes.proposals} data-beside={isBeside || undefined}>
      {proposals.error && <FailureAlert error={proposals.error} onRetry={proposals.retry} />}
      {isDecided && <DecidedProposal documentId={proposals.documentId} id={chosen} />}
      {all.map(({ proposal }) => {
        const state = stateOf(proposal, session, places);
        const { waiting, fields, outdated } = state;
        if (waiting.length + fields.length + outdated.length === 0) return null;
        return <ProposalSection key={proposal.id} {...props} proposal={proposal} state={state} />;
      })}
    </div>
  );
}

/** The changes of a proposal that nobody has decided. */
interface ProposalState {
  /** Changes of the text that apply. */
  waiting: readonly Suggestion[];
  fields: readonly FieldChange[];
  /** Changes whose passage or field has changed since. */
  outdated: readonly (Suggestion | FieldChange)[];
}

function stateOf(
  { suggestions, fieldChanges }: Enhancement,
  { acceptances }: DocumentSession,
  places: ReadonlyMap<string, MarkPlace>,
): ProposalState {
  const open = openIn(suggestions);
  const isStale = ({ status }: { status: string }) => status === 'stale';
  return {
    waiting: open.filter(({ id }) => places.has(id)),
    fields: openIn(fieldChanges),
    outdated: [
      ...fieldChanges.filter(isStale),
      ...suggestions.filter(isStale),
      ...open.filter(({ id }) => !places.has(id) && !acceptances.has(id)),
    ],
  };
}

type SectionProps = ProposalsProps & {
  isBeside: boolean;
  picked: string | undefined;
  proposal: Enhancement;
  state: ProposalState;
};

function ProposalSection(props: SectionProps) {
  const { session, proposals, proposal, state, mayDecide, isBeside, picked } = props;
  const { waiting, fields, outdated } = state;
  const { id } = proposal;
  const left = waiting.length + fields.length;
  const open = openIn([...waiting, ...fields, ...outdated]).map((change) => change.id);
  const acceptFields = (changes: readonly FieldChange[]) => {
    if (changes.length > 0) {
      proposals.acceptFields({ id, suggestionIds: changes.map((change) => change.id) });
    }
  };
  const cards = fields.map((change): MarginCard => ({
    id: change.id,
    from: 0,
    top: undefined,
    render: (card) => (
      <ChangeCard
        {...card}
        title={fieldName(change)}
        from={shownValue(change.from)}
        to={shownValue(change.to)}
        message={undefined}
        onAccept={
          mayDecide
            ? () => {
                acceptFields([change]);
              }
            : undefined
        }
        onReject={
          mayDecide
            ? () => {
                proposals.reject({ id, suggestionIds: [change.id] });
              }
            : undefined
        }
      />
    ),
  }));
  return (
    <SectionFrame proposal={proposal}>
      <Group gap={6}>
        {left > 0 && (
          <Text size="sm" c="dimmed">
            {countOf(left, 'change')}
          </Text>
        )}
        {mayDecide && left > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              acceptReplacements(
                session,
                waiting.map((suggestion) => acceptanceOf(proposal, suggestion)),
              );
              acceptFields(fields);
            }}
          >
            Accept all
          </Button>
        )}
        {mayDecide && open.length > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            onClick={() => {
              proposals.reject({ id, suggestionIds: open });
            }}
          >
            Reject all
          </Button>
        )}
        {proposals.isMine(proposal) && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            onClick={() => {
              proposals.withdraw(id);
            }}
          >
            Withdraw
          </Button>
        )}
      </Group>
      <CardList
        session={session}
        cards={cards}
        picked={picked}
        isBeside={isBeside}
        isStacked={false}
        label={`Fields that ${senderOf(proposal).name} proposes to change`}
      />
      {outdated.length > 0 && (
        <details className={classes.outdated}>
          <summary>{countOf(outdated.length, 'outdated change')}</summary>
          <p>The text has changed here since. Accepting them is no longer possible.</p>
          <Changes changes={outdated} />
        </details>
      )}
    </SectionFrame>
  );
}

function SectionFrame({ proposal, children }: { proposal: Enhancement; children: ReactNode }) {
  const message = proposal.proposal?.message;
  return (
    <div
      role="group"
      className={classes.proposal}
      aria-label={`Proposal from ${senderOf(proposal).name}`}
      data-proposal={proposal.id}
    >
      <div className={classes.proposalHead}>
        <Sender of={proposal} />
        <Time at={proposal.createdAt} />
      </div>
      {message && (
        <p className={classes.proposalMessage} dir="auto">
          {message}
        </p>
      )}
      {children}
    </div>
  );
}

/** A proposal from the inbox without open changes. */
function DecidedProposal({ documentId, id }: { documentId: string; id: string }) {
  const { id: accountId, api } = useAccount();
  const path = { id: documentId, enhancementId: id };
  const { data, error } = useQuery({
    queryKey: [accountId, 'proposals', 'one', id],
    queryFn: () =>
      dataOf(api.GET('/v1/documents/{id}/enhancements/{enhancementId}', { params: { path } })),
  });
  if (error) return <FailureAlert error={error} />;
  if (!data?.proposal || data.suggestionCounts.open > 0) return null;
  return (
    <SectionFrame proposal={data}>
      <Text size="sm" c="dimmed">
        Decided: {countsText(data.suggestionCounts)}
      </Text>
      <Changes changes={[...data.fieldChanges, ...data.suggestions]} showsStatus />
    </SectionFrame>
  );
}

interface ChangesProps {
  changes: readonly (Suggestion | FieldChange)[];
  showsStatus?: boolean;
}

/** Changes that cannot be decided. */
function Changes({ changes, showsStatus = false }: ChangesProps) {
  return (
    <ul className={classes.list}>
      {changes.map((change) => (
        <li key={change.id}>
          {'field' in change ? (
            <>
              {fieldName(change)}:{' '}
              <Change from={shownValue(change.from)} to={shownValue(change.to)} />
            </>
          ) : (
            <Change from={change.original} to={replacementOf(change)} />
          )}
          {showsStatus && (
            <span className={classes.message}>
              {change.status === 'stale' ? 'outdated' : change.status}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Shows the proposal in the URL once: its section and its first change. */
function useChosenProposal(
  proposal: Enhancement | undefined,
  { session, places, isBeside }: ProposalsProps & { isBeside: boolean },
  container: React.RefObject<HTMLElement | null>,
): void {
  const shown = useRef<string>(undefined);
  const first = proposal && openIn(proposal.suggestions).find(({ id }) => places.has(id));
  const show = useEffectEvent((id: string) => {
    const section = container.current?.querySelector(`[data-proposal="${id}"]`);
    section?.scrollIntoView({ block: 'nearest' });
    if (!first) return;
    if (isBeside) session.jumpToMark(first.id);
    else session.pick(first.id);
  });
  const isReady = proposal && (first !== undefined || openIn(proposal.suggestions).length === 0);
  const id = isReady ? proposal.id : undefined;
  useEffect(() => {
    if (id === undefined || shown.current === id) return;
    shown.current = id;
    show(id);
  }, [id]);
}

/** When a section with the focus is removed, calls `onGone`. */
function useFocusOfGoneSection(
  container: React.RefObject<HTMLElement | null>,
  onGone: () => void,
): void {
  const hadFocus = useRef(false);
  useEffect(() => {
    const onFocus = () => {
      hadFocus.current = container.current?.contains(document.activeElement) ?? false;
    };
    if (hadFocus.current && isFocusLost()) onGone();
    document.addEventListener('focusin', onFocus);
    return () => {
      document.removeEventListener('focusin', onFocus);
    };
  });
}

function openIn<Item extends { status: string }>(changes: readonly Item[]): Item[] {
  return changes.filter(({ status }) => status === 'open');
}

function replacementOf({ replacements }: Suggestion): string {
  return replacements[0]?.value ?? '';
}

function acceptanceOf(proposal: Enhancement, suggestion: Suggestion) {
  return { id: suggestion.id, value: replacementOf(suggestion), enhancementId: proposal.id };
}

function hasOwnMessage({ message }: Suggestion, { proposal }: Enhancement): boolean {
  return message !== proposal?.message && message !== 'Proposed change';
}

/** Returns "Title", or the name of a member of the metadata. */
function fieldName({ field }: FieldChange): string {
  return field === 'title' ? 'Title' : field.replace(/^metadata\./, '');
}

function shownValue(value: FieldChange['from']): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
